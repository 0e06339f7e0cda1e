"""Fixtures of the handlers' tests."""

from tests.infra.conftest import dynamodb_local

__all__ = ["dynamodb_local"]
