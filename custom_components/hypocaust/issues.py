"""What a person has to see to, as repairs of Home Assistant."""

from dataclasses import dataclass

from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import issue_registry as ir

from .const import DOMAIN
from .mapping import lacks_gateway
from .models import Alert, BuildingState

BUILDING_GONE = "building_gone"

SEVERITIES = {
    "auto_off_unproven": ir.IssueSeverity.WARNING,
    "battery_low": ir.IssueSeverity.WARNING,
    "building_silent": ir.IssueSeverity.ERROR,
    "cooling_left_on": ir.IssueSeverity.WARNING,
    "disinfection_overdue": ir.IssueSeverity.WARNING,
    "floor_probe_silent": ir.IssueSeverity.ERROR,
    "gateway_not_following": ir.IssueSeverity.ERROR,
    "heat_source_failed": ir.IssueSeverity.ERROR,
    "loop_low_flow": ir.IssueSeverity.WARNING,
    "model_broken": ir.IssueSeverity.WARNING,
    "mould_risk": ir.IssueSeverity.WARNING,
    "sensor_never_heard": ir.IssueSeverity.WARNING,
    "sensor_silent": ir.IssueSeverity.WARNING,
    "sensors_swapped": ir.IssueSeverity.ERROR,
    "supply_too_cold": ir.IssueSeverity.WARNING,
    "two_agents": ir.IssueSeverity.WARNING,
    "valve_silent": ir.IssueSeverity.ERROR,
    "valve_stays_on": ir.IssueSeverity.ERROR,
    "valve_without_effect": ir.IssueSeverity.WARNING,
}
"""Alerts that become repairs. A window, blinds, a floor at its limit and a target out of reach are no faults but sensors."""


@dataclass(frozen=True)
class Issue:
    """One repair."""

    key: str
    severity: ir.IssueSeverity
    placeholders: dict[str, str]


def issues_of(state: BuildingState) -> dict[str, Issue]:
    """Everything to be seen to in a building, by the issue's id."""
    building = state.building
    issues = {
        _id_of(building["id"], each): Issue(
            each["kind"],
            SEVERITIES[each["kind"]],
            {
                "building": building["name"],
                "room": each["room"] or "",
                "rooms": ", ".join(each.get("room_names") or each.get("rooms", [])),
            },
        )
        for each in state.alerts
        if each["kind"] in SEVERITIES
    }
    if lacks_gateway(building):
        issues[f"{building['id']}_no_gateway"] = Issue(
            "no_gateway", ir.IssueSeverity.WARNING, {"building": building["name"]}
        )
    return issues


def _id_of(building_id: str, alert: Alert) -> str:
    return "_".join(filter(None, (building_id, alert["room_id"], alert["kind"])))


@callback
def show_issues(
    hass: HomeAssistant, building_id: str, issues: dict[str, Issue]
) -> None:
    """Show these for a building, and no others."""
    for issue_id in _shown(hass, building_id) - set(issues):
        ir.async_delete_issue(hass, DOMAIN, issue_id)
    for issue_id, issue in issues.items():
        ir.async_create_issue(
            hass,
            DOMAIN,
            issue_id,
            is_fixable=False,
            severity=issue.severity,
            translation_key=issue.key,
            translation_placeholders=issue.placeholders,
        )


@callback
def show_that_building_is_gone(
    hass: HomeAssistant, building_id: str, name: str, entry_id: str
) -> None:
    """Offer to delete what is left of it here."""
    ir.async_create_issue(
        hass,
        DOMAIN,
        f"{building_id}_{BUILDING_GONE}",
        is_fixable=True,
        data={"entry_id": entry_id, "building": name},
        severity=ir.IssueSeverity.WARNING,
        translation_key=BUILDING_GONE,
        translation_placeholders={"building": name},
    )


def _shown(hass: HomeAssistant, building_id: str) -> set[str]:
    return {
        issue_id
        for domain, issue_id in ir.async_get(hass).issues
        if domain == DOMAIN and issue_id.startswith(building_id)
    }
