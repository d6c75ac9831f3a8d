import { Html, html } from '@hypocaust/domain'
import type { AgentState, ChannelState, SensorState } from './state.ts'
import type { Language, Words } from './words.ts'

export interface Shown {
  language: Language
  t: Words
  /** Goes with every form. */
  csrf: string
}

const REFRESH_S = 10

export function document({ language, t }: Pick<Shown, 'language' | 't'>, body: Html, refreshes = false): string {
  const refresh = refreshes ? html`<meta http-equiv="refresh" content="${REFRESH_S}">` : html``
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${t('title')}</title><link rel="stylesheet" href="/style.css">${refresh}</head>
<body><main><h1>${t('title')}</h1>${body}</main></body></html>`.text
}

export const signInView = ({ t }: Pick<Shown, 't'>, isWrong: boolean): Html => html`<section>
<form method="post" action="/sign-in"><label for="token">${t('token')}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<p class="soft">${t('token_hint')}</p>${isWrong ? html`<p role="alert">${t('wrong_token')}</p>` : html``}
<button>${t('sign_in')}</button></form></section>`

export interface Status {
  /** Null before the agent runs. */
  agent: AgentState | null
  sensors: SensorState[]
  lines: string[]
  isTesting: boolean
  nowMs: number
}

export function statusView(shown: Shown, { agent, sensors, lines, isTesting, nowMs }: Status): Html {
  const { t } = shown
  return html`${agent ? stateView(t, agent) : html`<p role="status">${t('not_running')}</p>`}
${agent ? outputsView(shown, agent, isTesting) : html``}
${sensorsView(shown, sensors, nowMs)}
<section><h2>${t('log')}</h2><pre tabindex="0">${lines.toReversed().join('\n')}</pre></section>
<p><a href="/pair">${t('pair')}</a></p>`
}

const row = (name: string, value: string | number) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

function stateView(t: Words, agent: AgentState): Html {
  const link = (isConnected: boolean) => t(isConnected ? 'connected' : 'disconnected')
  return html`<section><h2>${t('state')}</h2><dl>
${row(t('service'), link(agent.isServiceConnected))}
${row(t('devices'), link(agent.areDevicesConnected))}
${row(t('role'), t(`role.${agent.role}`))}
${row(t('buffered'), agent.buffered)}
${row(t('clock'), t(agent.isClockOk ? 'clock_ok' : 'clock_unset'))}
${agent.supplyC === null ? html`` : row(t('supply'), `${agent.supplyC} °C`)}
${agent.lock === null ? html`` : row(t('lock'), t(`lock.${agent.lock}`))}
${row(t('version'), agent.version)}
</dl></section>`
}

function outputsView({ t, csrf }: Shown, { channels, sources }: AgentState, isTesting: boolean): Html {
  const head = (['output', 'power', 'valve', 'relay', 'auto_off'] as const).map(
    (word) => html`<th scope="col">${t(word)}</th>`,
  )
  const test = ({ channel, name }: ChannelState) =>
    html`<form method="post" action="/test"><input type="hidden" name="csrf" value="${csrf}">
<button name="channel" value="${channel}" aria-label="${t('test_named', { name })}">${t('test')}</button></form>`
  return html`<section><h2>${t('outputs')}</h2>${isTesting ? html`<p role="status">${t('test_runs')}</p>` : html``}
<div class="wide"><table><thead><tr>${head}<td></td></tr></thead><tbody>
${channels.map(
  (each) => html`<tr><th scope="row">${each.name}</th><td>${Math.round(100 * each.power)} %</td>
<td>${t(each.isOpen ? 'open' : 'closed')}${each.held ? html`<br>${t(`held.${each.held}`)}` : html``}</td>
<td>${t(`relay.${each.relay}`)}</td><td>${t(`auto_off.${each.autoOff}`)}</td><td>${isTesting ? html`` : test(each)}</td></tr>`,
)}
${sources.map(
  ({ id, isOn, reportsOn }) => html`<tr><th scope="row">${sourceName(t, id)}</th><td>${t(isOn ? 'on' : 'off')}</td>
<td>${t(reportsOn ? 'on' : 'off')}</td><td></td><td></td><td></td></tr>`,
)}
</tbody></table></div></section>`
}

/** `pump 2` of several keeps its number. */
const sourceName = (t: Words, id: string): string =>
  id.replace(/^(pump|boiler|both|changeover)/, (kind) =>
    t(`source.${kind as 'pump' | 'boiler' | 'both' | 'changeover'}`),
  )

function sensorsView({ t, language }: Shown, sensors: SensorState[], nowMs: number): Html {
  if (sensors.length === 0) return html`<section><h2>${t('sensors')}</h2><p>${t('no_sensors')}</p></section>`
  const number = (value: number | null, unit: string) =>
    value === null ? '–' : `${value.toLocaleString(language, { maximumFractionDigits: 1 })} ${unit}`
  const head = (['sensor', 'temperature', 'humidity', 'battery', 'age'] as const).map(
    (word) => html`<th scope="col">${t(word)}</th>`,
  )
  return html`<section><h2>${t('sensors')}</h2><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>
${sensors
  .toSorted((a, b) => (a.name ?? a.id).localeCompare(b.name ?? b.id))
  .map(
    ({ id, name, temperature, humidity, battery, atMs }) => html`<tr>
<th scope="row">${name === null ? id : `${name} (${id})`}</th><td>${number(temperature, '°C')}</td>
<td>${number(humidity, '%')}</td><td>${number(battery, '%')}</td><td>${ago(t, nowMs - atMs)}</td></tr>`,
  )}
</tbody></table></div></section>`
}

function ago(t: Words, ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 120) return t('seconds_ago', { n: s })
  return s < 7200 ? t('minutes_ago', { n: Math.round(s / 60) }) : t('hours_ago', { n: Math.round(s / 3600) })
}

const field = (name: string, label: string, attributes: Html) =>
  html`<label for="${name}">${label}</label><input id="${name}" name="${name}" ${attributes}>`

export const pairView = ({ t, csrf }: Shown): Html => html`<section><h2>${t('pair')}</h2>
<form method="post" action="/pair"><input type="hidden" name="csrf" value="${csrf}">
${field('service', t('address'), new Html('type="url" required placeholder="http://192.168.1.20:8080"'))}
${field('code', t('code'), new Html('required autocomplete="off" placeholder="ABCD-EFGH"'))}
${field('authority', t('fingerprint'), new Html('autocomplete="off"'))}
<button>${t('pair')}</button></form></section><p><a href="/">${t('back')}</a></p>`

export const messageView = ({ t }: Pick<Shown, 't'>, lines: string[]): Html =>
  html`${lines.map((line) => html`<p role="status">${line}</p>`)}<p><a href="/">${t('back')}</a></p>`
