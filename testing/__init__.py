"""What tests and the bench share; nothing that runs imports it, and no package for Lambda holds it."""
