import { stringify } from 'yaml'
import { profiles } from '../profiles/load.ts'
import type { FoundSensor } from './finder.ts'
import type { FoundRelay } from './found-relays.ts'
import type { Offer, Offers } from './offers.ts'
import type { Proposal } from './unknown.ts'

export interface Discovery {
  url: string
  sensors: FoundSensor[]
  relays: FoundRelay[]
  /** Entities that bridges announce to Home Assistant. */
  offers: Offers
  proposals: Proposal[]
}

/**
 * A gateway.yaml to start from. Every relay heard is a channel in a comment: an unedited file must not switch off what
 * hangs behind a relay that has nothing to do with heating.
 */
export function startingFile({ url, sensors, relays, offers, proposals }: Discovery): string {
  const section = sensorsSection(sensors)
  return [
    '# Written by "discover".',
    '#',
    '# The sensors heard; rooms choose theirs at the service, nothing is needed here for those with an address:',
    ...sensors.map((sensor) => inOneLine(`#   ${describeSensor(sensor)}`)),
    stringify({
      devices: { url },
      data: 'data',
      ...(Object.keys(section).length > 0 && { sensors: section }),
    }).trimEnd(),
    ...offerLines(offers.sensors, section),
    ...proposalLines(proposals, section),
    '',
    '# The relays heard. Take the "#" away before those that work a valve, number the channels as they are at the',
    '# manifold, and give each its name. An actuator that is open without current needs "normally: open".',
    'channels:',
    ...relays.flatMap((relay, i) => [inOneLine(`  # ${describeRelay(relay)}`), `  # - ${channelEntry(relay, i)}`]),
    ...offers.channels.flatMap(({ entry, about }, i) => [
      inOneLine(`  # ${about}`),
      `  # - ${entryLine({ channel: relays.length + i + 1, ...entry })}`,
    ]),
    '',
  ].join('\n')
}

export function describeSensor({ id, name, profile, temperature, kind }: FoundSensor): string {
  const value = temperature === null ? '   ?   ' : `${temperature.toFixed(1)} °C`
  const place = [profile, name].filter((part) => part !== null).join(' ')
  const note =
    kind === 'encrypted'
      ? ', encrypted: needs its key under sensors.bthome.keys'
      : kind === 'contact'
        ? ', contact'
        : ''
  return `${id}  ${value}  ${place}${note}`
}

export function describeRelay({ driver, topic, output, name, model, room, autoOff }: FoundRelay): string {
  const facts = [
    name && name !== topic ? name : null,
    model,
    room ? `room ${room}` : null,
    autoOff === 'documented' ? 'switches off by itself' : autoOff === 'none' ? 'no auto-off' : 'auto-off unknown',
  ].filter((fact) => fact !== null)
  return `${driver}  ${topic}${output === '' ? '' : `  output ${output}`}  (${facts.join(', ')})`
}

export const describeProposal = ({ topic, temperature, value }: Proposal): string =>
  `${topic}  ${temperature === '.' ? 'the message itself' : temperature}  ${value} °C`

/** Profiles that are not read anyway, and base topics that differ from the usual ones. */
function sensorsSection(sensors: FoundSensor[]): Record<string, unknown> {
  const uses = new Map(
    sensors.map(({ profile, parameters }) => [JSON.stringify([profile, parameters]), { profile, parameters }]),
  )
  const mqtt = [...uses.values()]
    .filter(({ profile, parameters }) => !profiles().get(profile)?.always || Object.keys(parameters).length > 0)
    .map(({ profile, parameters }) => ({ profile, ...parameters }))
  return mqtt.length > 0 ? { mqtt } : {}
}

const placeOf = (section: Record<string, unknown>): string =>
  'mqtt' in section ? 'the list sensors.mqtt above' : '"sensors:", "  mqtt:"'

function offerLines(offers: Offer[], section: Record<string, unknown>): string[] {
  if (offers.length === 0) return []
  return [
    '',
    '# Temperatures that bridges announce to Home Assistant. Take over those that are rooms, under',
    `# ${placeOf(section)}:`,
    ...offers.map(({ entry, about }) => inOneLine(`#     - ${entryLine(entry)}   # ${about}`)),
  ]
}

function proposalLines(proposals: Proposal[], section: Record<string, unknown>): string[] {
  if (proposals.length === 0) return []
  return [
    '',
    '# Temperatures in topics that no profile knows. Take over those that are rooms, under',
    `# ${placeOf(section)}, each with a name of your choice:`,
    ...proposals.map((proposal, i) => {
      const path = proposal.temperature === '.' ? '' : `, temperature: '${proposal.temperature}'`
      return `#     - { sensor: room ${i + 1}, topic: ${JSON.stringify(proposal.topic)}${path} }   # ${proposal.value} °C now`
    }),
  ]
}

function channelEntry({ driver, topic, output, name, room }: FoundRelay, i: number): string {
  const numbered = driver === 'shelly' || driver === 'tasmota'
  const entry = {
    channel: i + 1,
    name: room ?? name ?? `loop ${i + 1}`,
    driver,
    topic,
    ...(output !== '' && { output: numbered ? Number(output) : output }),
  }
  return entryLine(entry)
}

const entryLine = (entry: object): string =>
  inOneLine(stringify(entry, { collectionStyle: 'flow', lineWidth: 0 }).trim())

/** A name that a device chose must not add lines of its own to the file. */
const inOneLine = (line: string): string => line.replace(/[\r\n\u0085\u2028\u2029]+/g, ' ')
