"""The repair that Home Assistant can do itself."""

import voluptuous as vol

from homeassistant.components.repairs import RepairsFlow, RepairsFlowResult
from homeassistant.core import HomeAssistant


class DeleteEntryFlow(RepairsFlow):
    """Delete the entry of a building that the service does not have any more."""

    def __init__(self, entry_id: str, building: str) -> None:
        """Remember which."""
        self._entry_id = entry_id
        self._building = building

    async def async_step_init(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Ask first."""
        return await self.async_step_confirm()

    async def async_step_confirm(
        self, user_input: dict[str, str] | None = None
    ) -> RepairsFlowResult:
        """Delete it, once confirmed."""
        if user_input is None:
            return self.async_show_form(
                step_id="confirm",
                data_schema=vol.Schema({}),
                description_placeholders={"building": self._building},
            )
        await self.hass.config_entries.async_remove(self._entry_id)
        return self.async_create_entry(data={})


async def async_create_fix_flow(
    hass: HomeAssistant, issue_id: str, data: dict[str, str | int | float | None] | None
) -> RepairsFlow:
    """The only repair that can be fixed here is a building that is gone."""
    assert data is not None
    return DeleteEntryFlow(str(data["entry_id"]), str(data["building"]))
