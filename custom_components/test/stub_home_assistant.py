"""What Home Assistant would provide, as far as the modules need it to be loaded and their logic to be tried.

It holds no interface to account: that is what the stories in a real Home Assistant are for.
"""

from __future__ import annotations

from dataclasses import dataclass, make_dataclass
from datetime import UTC, date, datetime, time
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
import sys
from types import ModuleType, SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

PACKAGES = ("homeassistant", "voluptuous", "aiohttp")


class Words(type):
    """An enumeration whose members are their names in lower case, and a class that takes type parameters."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name.isupper():
            return 1 if cls.__name__.endswith("Feature") else name.lower()
        return name


class Thing(metaclass=Words):
    """A class of which nothing is known."""

    def __init__(self, *args: Any, **given: Any) -> None:
        self.__dict__.update(given)

    def __init_subclass__(cls, **_: Any) -> None:
        return None

    def __class_getitem__(cls, _: Any) -> Any:
        return cls


class HomeAssistantError(Exception):
    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, given)
        self.translation_key = given.get("translation_key")
        self.retry_after = given.get("retry_after")


class ServiceValidationError(HomeAssistantError):
    pass


class Entity:
    _attr_unique_id: str | None = None

    async def async_added_to_hass(self) -> None:
        return None

    def async_on_remove(self, _: Any) -> None:
        return None

    def async_write_ha_state(self) -> None:
        return None


class CoordinatorEntity(Entity):
    def __init__(self, coordinator: Any) -> None:
        self.coordinator = coordinator

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    @property
    def available(self) -> bool:
        return True


class DataUpdateCoordinator:
    def __init__(self, hass: Any, logger: Any, **given: Any) -> None:
        self.hass, self.config_entry, self.data = hass, given.get("config_entry"), None
        self.last_update_success = True

    def __class_getitem__(cls, _: Any) -> Any:
        return cls

    async def async_refresh(self) -> None:
        self.data = await self._async_update_data()

    def async_add_listener(self, _: Any) -> Any:
        return lambda: None


FIELDS = (
    "translation_key",
    "device_class",
    "entity_category",
    "icon",
    "native_max_value",
    "native_min_value",
    "native_step",
    "mode",
    "options",
    "state_class",
    "suggested_display_precision",
    "native_unit_of_measurement",
)
Description = make_dataclass(
    "Description",
    [("key", str), *((each, Any, None) for each in FIELDS), ("entity_registry_enabled_default", bool, True)],
    frozen=True,
    kw_only=True,
)


@dataclass(frozen=True)
class _Day:
    @staticmethod
    def start_of_local_day(day: date) -> datetime:
        return datetime.combine(day, time(), UTC)


IMPORTED: dict[str, tuple[dict[str, Any], list[dict[str, Any]]]] = {}
"""External statistics by their id, as they were handed over."""


def add_external_statistics(_: Any, metadata: Any, statistics: Any) -> None:
    IMPORTED[metadata["statistic_id"]] = (metadata, statistics)


async def get_time_zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


KNOWN: dict[str, Any] = {
    "async_get_time_zone": get_time_zone,
    "async_add_external_statistics": add_external_statistics,
    "StatisticData": dict,
    "StatisticMetaData": dict,
    "CoordinatorEntity": CoordinatorEntity,
    "DataUpdateCoordinator": DataUpdateCoordinator,
    "Entity": Entity,
    "HomeAssistantError": HomeAssistantError,
    "UpdateFailed": HomeAssistantError,
    "ConfigEntryAuthFailed": HomeAssistantError,
    "ServiceValidationError": ServiceValidationError,
    "callback": lambda function: function,
    "start_of_local_day": _Day.start_of_local_day,
    "is_up": lambda _: True,
    "utcnow": lambda: datetime.now(UTC),
    "TemperatureConverter": SimpleNamespace(convert=lambda value, *_: value),
    "DOMAIN": "domain",
}
ERRORS = ("ClientError", "ClientSSLError", "ClientConnectorCertificateError")


class Stub(ModuleType):
    __path__: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in KNOWN:
            return KNOWN[name]
        if name in ERRORS:
            return type(name, (Exception,), {})
        if name.endswith("EntityDescription"):
            return Description
        if name.endswith("Entity"):
            return type(name, (Entity,), {})
        if name.isupper():
            return name.lower()
        if name[0].isupper():
            return Words(name, (Thing,), {})
        return Stub(f"{self.__name__}.{name}")

    def __call__(self, *args: Any, **_: Any) -> Any:
        """A function of which nothing is known."""
        return args


class Finder(MetaPathFinder, Loader):
    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        return ModuleSpec(fullname, self, is_package=True) if fullname.split(".")[0] in PACKAGES else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return Stub(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        return None


def install() -> None:
    """Unless a real one is there."""
    sys.meta_path.append(Finder())
