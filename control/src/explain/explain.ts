import { clockText, type Doing, type LoopsHeld, minuteText } from '@hypocaust/domain'
import type { IdleHours } from '../model/idle-hours.ts'
import { heldC } from '../room/held.ts'
import type { Cap, Decision, Notice, RoomEstimate } from '../room/types.ts'

const SOON_S = 900

export type Explanation = { doing: Doing; sentence: string; details: string[] }

const NOTICES: Record<Notice, string> = {
  'window-open': 'The temperature fell as fast as with a window open: learning waits until it is over.',
  'boiler-off': 'Heat was asked for and did not arrive: the boiler or the valve seems to be off.',
  'model-broken': 'What was learned about the room is impossible: it is heated by its reading alone, and learned anew.',
  'no-weather': 'No weather is known: the last one, or a mild winter day, is assumed.',
  'sensor-lost': 'The sensor is silent.',
}

const CAPS: Record<Cap, string> = {
  'floor-limit': 'Held back, so that the floor stays below its limit.',
  preset: 'Kept open a little for the base warmth of the preset.',
  'minimum-pulse': 'Short openings are saved up for one the valve can follow.',
  'above-band': 'The base warmth rests while the room is above its band.',
  'grid-lock': 'The grid operator has switched the heat pump off: the loops stay shut meanwhile.',
  'grid-limit': 'The grid limits the power of the heat source: this room gets its share of what is left.',
  'left-out': 'The building cools, and this room is left out.',
  'dew-unknown': 'Not cooled, because the humidity of the room or the temperature of the water is not known.',
  'dew-point': 'Not cooled, because the floor or the water is less than 2 K above the dew point.',
  'open-window': 'The contact reports an open window: heating and learning wait until it is shut.',
  'no-valve': 'No valve is assigned to this room.',
  'no-gateway': 'No gateway of this room has ever reported.',
  'gateway-lost':
    'The gateway does not report: it follows its last command until that expires, then its fallback power.',
  watched: 'Only watched: another thermostat works the valve, and what the valve reports counts as its heat.',
  'watched-unseen': 'Only watched, and nothing reports when the other thermostat heats: nothing can be learned yet.',
}

const UNREACHED = ['no-valve', 'no-gateway', 'gateway-lost', 'watched', 'watched-unseen'] as const

/** The one place that decides what is said of a floor. */
export function doingOf(decision: Decision, held: LoopsHeld | null = null): Doing {
  const { mode, caps, power, share, estimate, aim } = decision
  if (mode === 'frost') return 'frost'
  if (held) return held
  if (mode !== 'heat' && mode !== 'cool') return mode
  const unreached = UNREACHED.find((cap) => caps.includes(cap))
  if (unreached) return unreached
  if (caps.includes('open-window')) return 'open-window'
  if (caps.includes('grid-lock')) return 'grid-lock'
  if (mode === 'cool') return coolingOf(decision)
  if (decision.rung === 'learned-power') return 'learned-power'
  if (caps.includes('preset') && share > 0) return 'base-warmth'
  if (power > 0) return decision.warmsForMs !== null ? 'warming-ahead' : 'heating'
  if (share > 0) return 'between-openings'
  if (caps.includes('floor-limit')) return 'floor-limit'
  if (caps.includes('minimum-pulse') && estimate && heldC(decision, estimate) < aim.lowC) return 'between-openings'
  if (decision.without) return 'can-wait'
  if (!estimate) return 'no-reading'
  return heldC(decision, estimate) > aim.highC ? 'too-warm' : 'warm-enough'
}

const SHUT = ['left-out', 'dew-unknown', 'dew-point'] as const

const coolingOf = ({ caps, power }: Decision): Doing =>
  SHUT.find((cap) => caps.includes(cap)) ?? (power > 0 ? 'cooling' : 'cool-enough')

/** "Why is this room heating?" in one sentence, and what stands behind it. */
export function explain(decision: Decision, held: LoopsHeld | null = null): Explanation {
  const doing = doingOf(decision, held)
  return {
    doing,
    sentence: [sentence(decision, doing), ...pricesIn(decision), ...floorIn(decision)].join(' '),
    details: details(decision),
  }
}

function pricesIn({ price, timeZone }: Decision): string[] {
  if (!price) return []
  const time = clockText(timeZone, price.untilMs)
  return price.kind === 'cheap'
    ? [`Heat is cheap until ${time}, and the floor stores it.`]
    : [`It waits for cheaper heat from ${time} on.`]
}

/** What is said of a minimum of the floor where it asks for heat. */
function floorIn({ floor, atMs, timeZone }: Decision): string[] {
  if (!floor) return []
  const least = degrees(floor.leastC)
  return atMs < floor.fromMs
    ? [`Warming the floor to ${least} by ${clockText(timeZone, floor.fromMs)}.`]
    : [`Keeping the floor at ${least} until ${clockText(timeZone, floor.untilMs)}.`]
}

function sentence(decision: Decision, doing: Doing): string {
  const power = percent(decision.power)
  const share = percent(decision.share)
  switch (doing) {
    case 'off':
      return 'Switched off.'
    case 'frost':
      return `At ${degrees(decision.air?.airC)} the pipes are protected against frost.`
    case 'manual':
      return `Held at ${power} by hand${capped(decision)}.`
    case 'loop-test':
      return `A test of the loops holds the floor at ${power}.`
    case 'loop-search':
      return `The search for the room of each loop holds the floor at ${power}.`
    case 'screed-heating':
      return `The heat-up of the new screed holds the floor at ${power}.`
    case 'no-valve':
      return 'Nothing can heat this room: no valve is assigned to it.'
    case 'no-gateway':
      return 'Nothing can heat this room: no gateway has reported yet.'
    case 'gateway-lost':
      return `The gateway does not report: by its last command or its fallback it heats at ${power}.`
    case 'watched':
      return `Another thermostat heats at ${power}; the control would give ${share}.`
    case 'watched-unseen':
      return `Another thermostat heats this room; the control would give ${share}.`
    case 'learned-power':
      return `Without a sensor: ${share}, as the room has needed at such weather.`
    case 'open-window':
      return 'A window is open: heating is paused until it is shut.'
    case 'grid-lock':
      return 'The grid operator has switched the heat pump off: heating waits until it is on again.'
    case 'cooling':
      return `Cooling at ${power} towards ${degrees(decision.aim.targetC)}. ${dew(decision)}`
    case 'cool-enough':
      return `Not cooling for now: the room does not need it. ${dew(decision)}`
    case 'dew-point':
      return `Too humid to cool: the floor and the water stay 2 K above the dew point. ${dew(decision)}`
    case 'dew-unknown':
      return 'Not cooling: the humidity of the room or the temperature of the water is not known.'
    case 'left-out':
      return 'The building cools, and this room is left out.'
    case 'no-reading':
      return 'No reading yet: not heating.'
    case 'floor-limit':
      return 'The floor is at its limit: heating waits until it is colder.'
    case 'base-warmth':
      return `Heating at ${power} for the base warmth of the floor, whatever the room needs.`
    case 'between-openings':
      return `${need(decision)} Resting between two openings${decision.share > 0 ? `, ${share} on average` : ''}.`
    case 'warming-ahead':
    case 'heating':
      return `${need(decision)} Heating at ${power}${capped(decision)}.`
    case 'can-wait':
      return `It can wait${decision.targetOf === 'floor' ? '. ' : ': '}${need(decision)}`
    case 'too-warm':
    case 'warm-enough':
      return `${need(decision)} Not heating.`
  }
}

const dew = ({ cooling }: Decision): string =>
  `Dew point ${degrees(cooling?.dewC ?? undefined)}, water ${degrees(cooling?.waterC ?? undefined)}.`

/** What the room, or a floor that is held, would come to without more heat. */
function need(decision: Decision): string {
  const { without, warmsForMs, estimate, aim, atMs, timeZone, targetOf } = decision
  const isFloor = targetOf === 'floor'
  if (without) {
    const aheadS = (without.atMs - atMs) / 1000
    const when = aheadS < SOON_S ? 'now' : `at ${clockText(timeZone, warmsForMs ?? without.atMs)}`
    const below = `${(without.lowC - without.airC).toFixed(1)}° below`
    const needs = duration(without.floorNeedsS)
    return isFloor
      ? `The floor would be ${below} its band ${when} without heat; it needs ${needs}.`
      : `${below} the band ${when} without heat; the floor needs ${needs}.`
  }
  if (!estimate) return 'No reading yet.'
  const nowC = heldC(decision, estimate)
  if (nowC > aim.highC) {
    const above = `${(nowC - aim.highC).toFixed(1)}° above`
    return isFloor ? `The floor is ${above} its band.` : `${above} the band.`
  }
  const band = `(${degrees(aim.lowC)} to ${degrees(aim.highC)}) without more heat.`
  return isFloor ? `The floor stays in its band ${band}` : `In the band ${band}`
}

function details(decision: Decision): string[] {
  const { air, estimate, outdoorC, aim, notices, caps, confidence, rung, idle } = decision
  const measured = air ? `Measured ${degrees(air.airC)}, ${duration(air.ageS)} ago.` : 'No reading.'
  const floor = estimate
    ? `Floor ${estimate.floorProbed ? 'measured' : 'estimated'} at ${degrees(estimate.floorC)}${giveOrTake(estimate)}.`
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
    ...(idle ? [idleWords(idle)] : []),
    ...notices.map((n) => NOTICES[n]),
    ...caps.map((c) => CAPS[c]),
  ].filter((line) => line !== '')
}

const giveOrTake = ({ floorErrorK }: RoomEstimate) =>
  floorErrorK === undefined ? '' : `, give or take ${floorErrorK.toFixed(1)}°`

const idleWords = ({ fromMinute, toMinute }: IdleHours) =>
  `From ${minuteText(fromMinute)} to ${minuteText(toMinute)} no heat arrives, whatever is requested: the room is heated before.`

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
