import { clockText } from '@hypocaust/domain'
import type { Cap, Decision, Notice } from './types.ts'

const SOON_S = 900

export type Explanation = { sentence: string; details: string[] }

const NOTICES: Record<Notice, string> = {
  'window-open': 'The temperature fell as fast as with a window open: learning waits until it is over.',
  'boiler-off': 'Heat was asked for and did not arrive: the boiler or the valve seems to be off.',
  'no-weather': 'No weather is known: the last one, or a mild winter day, is assumed.',
  'sensor-lost': 'The sensor is silent.',
}

const CAPS: Record<Cap, string> = {
  'floor-limit': 'Held back, so that the floor stays below its limit.',
  preset: 'Kept open a little for the base warmth of the preset.',
  'minimum-pulse': 'Short openings are saved up for one the valve can follow.',
  'above-band': 'The base warmth rests while the room is above its band.',
  'grid-lock': 'The grid operator has switched the heat pump off: the loops stay shut meanwhile.',
  'open-window': 'The contact reports an open window: heating and learning wait until it is shut.',
  'no-valve': 'No valve is assigned to this room.',
  'no-gateway': 'No gateway of this room has ever reported.',
  'gateway-lost':
    'The gateway does not report: it follows its last command until that expires, then its fallback power.',
  watched: 'Only watched: another thermostat works the valve, and what the valve reports counts as its heat.',
  'watched-unseen': 'Only watched, and nothing reports when the other thermostat heats: nothing can be learned yet.',
}

/** "Why is this room heating?" in one sentence, and what stands behind it. */
export function explain(decision: Decision): Explanation {
  return { sentence: sentence(decision), details: details(decision) }
}

function sentence(decision: Decision): string {
  const { mode, air, power } = decision
  if (mode === 'frost') return `Switched off, but at ${degrees(air?.airC)} the pipes are protected against frost.`
  if (mode === 'off') return 'Switched off.'
  if (mode === 'manual') return `Held at ${percent(power)} by hand${capped(decision)}.`
  return [automatic(decision), ...pricesIn(decision)].join(' ')
}

function pricesIn({ price, timeZone }: Decision): string[] {
  if (!price) return []
  const time = clockText(timeZone, price.untilMs)
  return price.kind === 'cheap'
    ? [`Heat is cheap until ${time}, and the floor stores it.`]
    : [`It waits for cheaper heat from ${time} on.`]
}

function automatic(decision: Decision): string {
  const { without, warmsForMs, estimate, aim, share, timeZone } = decision
  if (decision.caps.includes('no-valve')) return 'Nothing can heat this room: no valve is assigned to it.'
  if (decision.caps.includes('no-gateway')) return 'Nothing can heat this room: no gateway has reported yet.'
  if (decision.caps.includes('gateway-lost'))
    return `The gateway does not report: by its last command or its fallback it heats at ${percent(decision.power)}.`
  if (decision.caps.includes('watched'))
    return `Another thermostat heats at ${percent(decision.power)}; the control would give ${percent(share)}.`
  if (decision.caps.includes('watched-unseen'))
    return `Another thermostat heats this room; the control would give ${percent(share)}.`
  if (decision.rung === 'learned-power')
    return `Without a sensor: ${percent(share)}, as the room has needed at such weather.`
  if (decision.caps.includes('open-window')) return 'A window is open: heating is paused until it is shut.'
  const doing = doingOf(decision)
  if (without) {
    const missingK = without.lowC - without.airC
    const aheadS = (without.atMs - decision.atMs) / 1000
    const when = aheadS < SOON_S ? 'now' : `at ${clockText(timeZone, warmsForMs ?? without.atMs)}`
    const short = `${missingK.toFixed(1)}° below the band ${when} without heat; the floor needs ${duration(without.floorNeedsS)}`
    if (share === 0 && aheadS > without.floorNeedsS) return `It can wait: ${short}.`
    return `${short}: ${doing}${capped(decision)}.`
  }
  if (!estimate) return `No reading yet: ${doing}.`
  if (estimate.airC > aim.highC) return `${(estimate.airC - aim.highC).toFixed(1)}° above the band: ${doing}.`
  return `In the band (${degrees(aim.lowC)} to ${degrees(aim.highC)}) without more heat: ${doing}.`
}

function doingOf({ power, share }: Decision): string {
  if (power > 0) return `heating at ${percent(power)}`
  return share > 0 ? `resting between two openings, ${percent(share)} on average` : 'not heating'
}

function details(decision: Decision): string[] {
  const { air, estimate, outdoorC, aim, notices, caps, confidence, rung } = decision
  const measured = air ? `Measured ${degrees(air.airC)}, ${duration(air.ageS)} ago.` : 'No reading.'
  const floor = estimate
    ? `Floor ${estimate.floorProbed ? 'measured' : 'estimated'} at ${degrees(estimate.floorC)}.`
    : ''
  const outside = outdoorC === null ? '' : `Outdoors ${degrees(outdoorC)}.`
  const wanted = `Aim ${degrees(aim.targetC)} (${aim.reason}).`
  const known = `Steered by: ${RUNGS[rung]}; ${percent(confidence)} confident of the model.`
  return [
    measured,
    floor,
    outside,
    wanted,
    known,
    ...notices.map((n) => NOTICES[n]),
    ...caps.map((c) => CAPS[c]),
  ].filter((line) => line !== '')
}

const RUNGS: Record<Decision['rung'], string> = {
  measured: 'a fresh reading',
  predicted: 'a prediction from a reading under half an hour old',
  'model-only': 'the model alone, with a wider margin',
  'learned-power': 'the power learned for this weather',
  pi: 'plain feedback, because the model was wrong too often',
}

const capped = (decision: Decision) => (decision.caps.includes('floor-limit') ? ', held back by the floor’s limit' : '')
const percent = (share: number) => `${Math.round(100 * share)} %`
const degrees = (celsius: number | undefined) =>
  celsius === undefined ? 'an unknown temperature' : `${celsius.toFixed(1)} °C`

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')}`
}
