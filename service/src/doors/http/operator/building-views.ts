import { type Html, html, MAX_REASON_LENGTH, MIN_REASON_LENGTH } from '@hypocaust/domain'
import type { OpenedBuilding, RoomTemperature } from '../../../people/fleet/building.ts'
import { FLEET_NEEDS, type FleetBuilding, type FleetNeed } from '../../../people/fleet/needs.ts'
import { alertBox, facts, hidden, moment, none, type Shown, table } from './document.ts'
import { alertInWords } from './words.ts'

interface Listed {
  buildings: FleetBuilding[]
  counts: Record<FleetNeed, number>
  need: FleetNeed | undefined
  search: string
  /** Where the next page begins. */
  next: number | undefined
}

export function buildingsView({ t, csrf }: Shown, { buildings, counts, need, search, next }: Listed): Html {
  const mark = (is: boolean) => (is ? html` aria-current="page"` : none)
  const needs = FLEET_NEEDS.map(
    (each) => html`<a href="/?need=${each}"${mark(each === need)}>${t(`need.${each}`)} (${counts[each]})</a>`,
  )
  const rows = buildings.map(({ id, name, account, lastSeenAt, alerts, alertsSince }) => [
    html`<a href="/buildings/${id}">${name}</a>`,
    account,
    moment(t, lastSeenAt),
    Number(alerts),
    alertsSince === null ? '' : moment(t, alertsSince),
  ])
  const more = new URLSearchParams({ ...(need && { need }), from: String(next) })
  return html`<form class="row" method="post" action="/search">${hidden(csrf)}<label>${t('search')}
<input name="search" value="${search}" maxlength="200"></label><button>${t('find')}</button></form>
<nav aria-label="${t('needs')}"><a href="/"${mark(need === undefined && search === '')}>${t('all')}</a>${needs}</nav>
${table(t, ['buildings', 'account', 'seen', 'alerts', 'since'], rows)}
${next === undefined ? none : html`<p><a href="/?${more.toString()}">${t('next')}</a></p>`}`
}

export function buildingView(shown: Shown, building: OpenedBuilding, isReasonWrong = false): Html {
  const { t } = shown
  const { id, name, account, timezone, gateways, alerts, rooms, promises } = building
  const gatewayRows = gateways.map((each) => [
    html`${each.name}<br><span class="soft">${each.id}</span>`,
    each.version ?? '',
    moment(t, each.lastSeenAt),
    each.buffered ?? '',
    each.ackResult ?? '',
  ])
  const roomRows = rooms.map((each) => [
    each.name,
    moment(t, each.measuredAt),
    each.batteryPct === null ? '' : `${Math.round(each.batteryPct)} %`,
    Number(each.fittedAt) === 0 ? t('never') : moment(t, each.fittedAt),
  ])
  return html`<h2>${name}</h2>${facts([
    ['Id', id],
    [t('account'), account],
    [t('time_zone'), timezone],
    [t('promises'), t('promises_of', promises)],
  ])}
<h2>${t('alerts')}</h2>${table(
    t,
    ['alerts', 'room', 'since'],
    alerts.map(({ kind, room, beganAt }) => [alertInWords(t, kind), room ?? '', moment(t, beganAt)]),
  )}
<h2>${t('gateways')}</h2>${table(t, ['gateway', 'version', 'seen', 'waiting', 'command'], gatewayRows)}
<h2>${t('rooms')}</h2>${table(t, ['room', 'sensor_seen', 'battery', 'learned'], roomRows)}
${reasonForm(shown, id, isReasonWrong)}`
}

const reasonForm = ({ t, csrf }: Shown, id: string, isWrong: boolean): Html => html`<h2>${t('temperatures')}</h2>
<form method="post" action="/buildings/${id}/temperatures">${hidden(csrf)}<p class="soft">${t('temperatures_hint')}</p>
<label>${t('reason')}<br><input name="reason" required minlength="${MIN_REASON_LENGTH}" maxlength="${MAX_REASON_LENGTH}"></label>
${isWrong ? alertBox(t('reason_wrong', { min: MIN_REASON_LENGTH, max: MAX_REASON_LENGTH })) : none}
<p><button>${t('show')}</button></p></form>`

export function temperaturesView({ t }: Shown, { id, name }: OpenedBuilding, rooms: RoomTemperature[]): Html {
  const degrees = (celsius: number | null) => (celsius === null ? '' : `${celsius.toFixed(1)} °C`)
  const rows = rooms.map((each) => [
    each.name,
    degrees(each.temperatureC),
    degrees(each.targetC),
    each.humidityPct === null ? '' : `${Math.round(each.humidityPct)} %`,
    moment(t, each.measuredAt),
  ])
  return html`<h2>${name}: ${t('temperatures')}</h2>${table(t, ['room', 'temperature', 'target', 'humidity', 'sensor_seen'], rows)}
<p><a href="/buildings/${id}">${t('back')}</a></p>`
}
