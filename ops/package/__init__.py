"""The Lambda package: run-time code only, made for Lambda's Python and processor on any machine."""
