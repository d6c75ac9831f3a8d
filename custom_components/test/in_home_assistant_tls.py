"""A service behind a certificate of its own authority, in a real Home Assistant."""

from __future__ import annotations

from pathlib import Path

from home import Steps, Story, equal, tell
from homeassistant.config_entries import ConfigEntryState

step = Steps()
OTHER_AUTHORITY = Path(__file__).parent / "other-authority.pem"


def as_http(url: str) -> str:
    return url.replace("https://", "http://")


@step
async def an_address_without_tls_is_reported_to_need_it(story: Story) -> None:
    stage = story.stage
    assert stage.url.startswith("https://"), stage.url
    flow = await story.begin()
    plain = await story.answer(flow, url=as_http(stage.url), api_key=stage.read_key)
    equal(plain["errors"], {"base": "https_needed"})
    story.hass.config_entries.flow.async_abort(flow["flow_id"])


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


if __name__ == "__main__":
    tell(step)
