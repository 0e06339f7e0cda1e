"""`template.yaml` as AWS would see it: transformed by the SAM translator, created as a stack in moto.

moto does not make every kind of resource that the template has. `StandIn` takes their place: it keeps the properties,
with every reference resolved, so that a test can look at them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Final

import boto3
from moto.cloudformation import parsing
from moto.core.common_models import CloudFormationModel
from samtranslator.parser.parser import Parser  # type: ignore[import-untyped]
from samtranslator.translator.translator import Translator  # type: ignore[import-untyped]
from samtranslator.yaml_helper import yaml_parse  # type: ignore[import-untyped]

from testing.aws import REGION

ROOT: Final = Path(__file__).parents[3]
CODE: Final = "s3://code/package.zip"
Json = dict[str, Any]


def sam_template() -> Json:
    """`template.yaml`, with short forms such as `!Ref` spelled out."""
    parsed: Json = yaml_parse((ROOT / "template.yaml").read_text())
    return parsed


def cloudformation(**parameters: str) -> Json:
    """The plain CloudFormation that SAM makes of the template, its code as if uploaded."""
    template = sam_template()
    template["Globals"]["Function"]["CodeUri"] = CODE
    return transformed(template, parameters)


def transformed(template: Json, parameters: Mapping[str, str]) -> Json:
    """The plain CloudFormation that SAM makes of a template whose code is uploaded."""
    translator = Translator({}, Parser(), boto_session=boto3.Session(region_name=REGION))
    made: Json = translator.translate(template, parameters)
    return made


class StandIn(CloudFormationModel):
    """A resource that moto cannot make: only its properties, by logical id, in `made`."""

    kind: ClassVar[str] = "Test::StandIn"
    made: ClassVar[dict[str, Json]] = {}

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def physical_resource_id(self) -> str:
        """Its logical id serves."""
        return self.name

    @staticmethod
    def cloudformation_name_type() -> str:
        """None of its properties is taken for its name."""
        return ""

    @classmethod
    def cloudformation_type(cls) -> str:
        """The kind that it stands for."""
        return cls.kind

    @classmethod
    def has_cfn_attr(cls, attr: str) -> bool:
        """Any attribute can be asked for."""
        return bool(attr)

    def get_cfn_attribute(self, attribute_name: str) -> str:
        """An attribute's value: recognizable, and an address where it should be one."""
        return (
            f"https://{self.name.lower()}.test/" if attribute_name.endswith("Url") else f"{self.name}.{attribute_name}"
        )

    @classmethod
    def create_from_cloudformation_json(
        cls, resource_name: str, cloudformation_json: Json, *_: object, **__: object
    ) -> StandIn:
        """Keep the resolved properties; moto names a resource stack-LogicalId-RANDOM."""
        StandIn.made[resource_name.split("-")[-2]] = cloudformation_json["Properties"]
        return cls(resource_name)


@contextmanager
def stand_ins(template: Mapping[str, Any]) -> Iterator[dict[str, Json]]:
    """Within, moto makes a `StandIn` of every resource of the template that it does not know; yields what they keep."""
    known = parsing.get_model_map()
    before = dict(known)
    kinds = {resource["Type"] for resource in template["Resources"].values()} - set(known)
    # moto's own versions have no number for the alias to point at, and its permissions know no alias.
    kinds |= {"AWS::Lambda::Version", "AWS::Lambda::Permission"}
    StandIn.made.clear()
    known.update({kind: type("StandIn", (StandIn,), {"kind": kind}) for kind in kinds})
    try:
        yield StandIn.made
    finally:
        known.clear()
        known.update(before)


def create(name: str, template: Mapping[str, Any], **parameters: str) -> Json:
    """Create the stack in whatever AWS is in force (moto's) and return its description."""
    client = boto3.client("cloudformation", region_name=REGION)
    client.create_stack(
        StackName=name,
        TemplateBody=json.dumps(template),
        Parameters=[{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        Capabilities=["CAPABILITY_IAM"],
    )
    described: Json = client.describe_stacks(StackName=name)["Stacks"][0]
    return described
