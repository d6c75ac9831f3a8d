"""A real Home Assistant with the integration in it, and the steps of a story in it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
import logging
import os
from pathlib import Path
import sys
from tempfile import TemporaryDirectory
import traceback
from typing import Any

from homeassistant import bootstrap, core, loader
from homeassistant.config_entries import SOURCE_RECONFIGURE, SOURCE_USER, ConfigEntry
from homeassistant.helpers import entity_registry as er
from stage import Stage

DOMAIN = "hypocaust"
Step = Callable[["Story"], Awaitable[None]]


class Steps(list[Step]):
    """Things that must hold; they build on each other."""

    def __call__(self, work: Step) -> Step:
        """Put a step behind the last."""
        self.append(work)
        return work


class Story:
    """A Home Assistant and the service beside it."""

    def __init__(self, hass: core.HomeAssistant, stage: Stage) -> None:
        self.hass = hass
        self.stage = stage
        self.bathroom, self.living_room, *_ = stage.room_ids

    @property
    def entry(self) -> ConfigEntry[Any]:
        [entry] = self.hass.config_entries.async_entries(DOMAIN)
        return entry

    def entity_id(self, platform: str, unique_id: str) -> str:
        found = er.async_get(self.hass).async_get_entity_id(platform, DOMAIN, unique_id)
        assert found is not None, f"no {platform} {unique_id}"
        return found

    def state(self, platform: str, unique_id: str) -> core.State:
        found = self.hass.states.get(self.entity_id(platform, unique_id))
        assert found is not None, f"no state of {platform} {unique_id}"
        return found

    def climate(self) -> core.State:
        return self.state("climate", self.bathroom)

    async def refresh(self) -> None:
        await self.entry.runtime_data.async_refresh()
        await self.hass.async_block_till_done()

    async def call(self, service: str, **data: Any) -> None:
        target = {"entity_id": self.entity_id("climate", self.bathroom)}
        await self.hass.services.async_call("climate", service, {**target, **data}, blocking=True)

    async def begin(self, source: str = SOURCE_USER, data: Any = None) -> dict[str, Any]:
        return await self.hass.config_entries.flow.async_init(
            DOMAIN, context={"source": source}, data=data
        )

    async def reconfigure(self) -> dict[str, Any]:
        context = {"source": SOURCE_RECONFIGURE, "entry_id": self.entry.entry_id}
        return await self.hass.config_entries.flow.async_init(DOMAIN, context=context)

    async def answer(self, flow: dict[str, Any], **given: Any) -> dict[str, Any]:
        result = await self.hass.config_entries.flow.async_configure(flow["flow_id"], given)
        await self.hass.async_block_till_done()
        return result


def equal(seen: Any, expected: Any) -> None:
    assert seen == expected, f"{seen!r} is not {expected!r}"


class Complaints(logging.Handler):
    """What Home Assistant says about how the integration uses it: what is deprecated, and what blocks its loop."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.about_us: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if f"integration '{DOMAIN}'" in text or f" from {DOMAIN}." in text:
            self.about_us.append(text)


async def start(config: Path) -> core.HomeAssistant:
    """Home Assistant's own start, with this integration where HACS would put it."""
    (config / "custom_components").symlink_to(Path(__file__).parent.parent)
    (config / "configuration.yaml").touch()
    hass = core.HomeAssistant(str(config))
    hass.config.skip_pip = True
    loader.async_setup(hass)
    assert await bootstrap.async_from_config_dict({}, hass) is hass
    await hass.async_start()
    return hass


async def run_steps(steps: Steps) -> int:
    """Run the steps; the first that does not hold ends the story."""
    complaints = Complaints()
    logging.getLogger().addHandler(complaints)
    with TemporaryDirectory() as folder:
        hass = await start(Path(folder))
        story = Story(hass, Stage())
        try:
            for work in steps:
                print(f"{work.__name__.replace('_', ' ')} …", end=" ", flush=True)
                await work(story)
                print("ok", flush=True)
            equal(complaints.about_us, [])
        except Exception:
            traceback.print_exc()
            return 1
        finally:
            await hass.async_stop(force=True)
    print(f"all {len(steps)} steps passed")
    return 0


def tell(steps: Steps) -> None:
    """Tell the whole story and end with what came of it."""
    code = asyncio.run(run_steps(steps))
    sys.stdout.flush()
    os._exit(code)
