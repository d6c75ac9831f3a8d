"""A service behind a certificate of its own authority, in a real Home Assistant."""

from __future__ import annotations

import asyncio
from ipaddress import ip_address
from pathlib import Path

from home import Steps, Story, equal, tell
from homeassistant.config_entries import SOURCE_ZEROCONF, ConfigEntryState
from homeassistant.helpers.service_info.zeroconf import ZeroconfServiceInfo

step = Steps()
OTHER_AUTHORITY = Path(__file__).parent / "other-authority.pem"


def as_http(url: str) -> str:
    return url.replace("https://", "http://")


def announcement(url: str, port: int, installation: str) -> ZeroconfServiceInfo:
    address = ip_address("127.0.0.1")
    kind = "_hypocaust._tcp.local."
    properties = {"id": installation, "tls": "1" if url.startswith("https:") else "0"}
    return ZeroconfServiceInfo(
        address, [address], port, "heat.local.", kind, f"Cellar.{kind}", properties
    )


@step
async def an_address_without_tls_is_reported_to_need_it(story: Story) -> None:
    stage = story.stage
    assert stage.url.startswith("https://"), stage.url
    flow = await story.begin()
    plain = await story.answer(flow, url=as_http(stage.url), api_key=stage.read_key)
    equal(plain["errors"], {"base": "https_needed"})
    story.hass.config_entries.flow.async_abort(flow["flow_id"])


@step
async def a_server_that_speaks_no_tls_is_reported_as_that(story: Story) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    flow = await story.begin()
    failed = await story.answer(flow, url=f"https://127.0.0.1:{port}", api_key="hyp_any")
    equal(failed["errors"], {"base": "tls_failed"})
    story.hass.config_entries.flow.async_abort(flow["flow_id"])
    server.close()


@step
async def a_service_found_on_the_network_shows_its_fingerprint_too(story: Story) -> None:
    stage = story.stage
    port = int(stage.url.rsplit(":", 1)[1])
    found = await story.begin(SOURCE_ZEROCONF, announcement(stage.url, port, "found"))
    equal((found["type"], found["step_id"]), ("form", "discovery_confirm"))
    asked = await story.answer(found, api_key=stage.read_key)
    equal((asked["type"], asked["step_id"]), ("form", "trust"))
    equal(asked["description_placeholders"]["fingerprint"], stage.do("tls-show"))
    story.hass.config_entries.flow.async_abort(found["flow_id"])


@step
async def the_fingerprint_is_shown_as_the_command_shows_it_and_then_trusted(story: Story) -> None:
    stage = story.stage
    flow = await story.begin()
    asked = await story.answer(flow, url=stage.url, api_key="hyp_wrong")
    equal((asked["type"], asked["step_id"]), ("form", "trust"))
    equal(asked["description_placeholders"]["fingerprint"], stage.do("tls-show"))
    refused = await story.answer(asked)
    equal(refused["errors"], {"api_key": "invalid_auth"})
    story.hass.config_entries.flow.async_abort(flow["flow_id"])
    asked = await story.answer(await story.begin(), url=stage.url, api_key=stage.read_key)
    made = await story.answer(asked)
    equal(made["type"], "create_entry")
    equal(story.entry.state, ConfigEntryState.LOADED)
    assert "BEGIN CERTIFICATE" in story.entry.data["authority"]


@step
async def it_is_pinned_so_that_a_certificate_of_another_authority_is_refused(story: Story) -> None:
    data = story.entry.data
    story.hass.config_entries.async_update_entry(
        story.entry, data={**data, "authority": OTHER_AUTHORITY.read_text()}
    )
    await story.hass.config_entries.async_reload(story.entry.entry_id)
    equal(story.entry.state, ConfigEntryState.SETUP_RETRY)
    assert "TLS" in (story.entry.reason or ""), story.entry.reason
    flow = await story.reconfigure()
    asked = await story.answer(flow, url=story.stage.url)
    equal((asked["type"], asked["step_id"]), ("form", "trust"))
    done = await story.answer(asked)
    equal((done["type"], done["reason"]), ("abort", "reconfigure_successful"))
    await story.hass.async_block_till_done()
    equal(story.entry.state, ConfigEntryState.LOADED)
    equal(story.entry.data["authority"], data["authority"])


@step
async def an_announcement_without_tls_does_not_take_its_place(story: Story) -> None:
    data = story.entry.data
    plain = announcement(as_http(data["url"]), 9, data["installation"])
    found = await story.begin(SOURCE_ZEROCONF, plain)
    equal((found["type"], found["reason"]), ("abort", "already_configured"))
    equal(story.entry.data["url"], data["url"])


@step
async def another_building_is_refused_after_the_trust_too(story: Story) -> None:
    data, unique_id = story.entry.data, story.entry.unique_id
    update = story.hass.config_entries.async_update_entry
    update(story.entry, unique_id="another", data={**data, "authority": OTHER_AUTHORITY.read_text()})
    asked = await story.answer(await story.reconfigure(), url=story.stage.url)
    equal((asked["type"], asked["step_id"]), ("form", "trust"))
    refused = await story.answer(asked)
    equal((refused["type"], refused["reason"]), ("abort", "other_building"))
    update(story.entry, unique_id=unique_id, data=data)


if __name__ == "__main__":
    tell(step)
