import type { Static } from 'typebox'
import { profiles } from '../profiles/load.ts'
import { placedAt } from '../profiles/path.ts'
import { withParameters } from '../profiles/topic.ts'
import type { MqttRelay, RelayOutput } from '../valves/driver.ts'
import { VALUE } from '../valves/position.ts'
import type { Fault } from './fault.ts'
import type { FileRelay } from './file-relay.ts'
import type { mqttRelayFields } from './relay-schema.ts'

type Written = { [Name in keyof typeof mqttRelayFields]?: Static<(typeof mqttRelayFields)[Name]> }

/** A relay that the file describes itself, or by the name of a profile. */
export function mqttRelayOf(file: FileRelay): RelayOutput | undefined {
  const written: Written | undefined = file.profile === undefined ? file : profiles().get(file.profile)?.relay
  if (!written?.set && !written?.state) return undefined
  const parameters = file.profile === undefined ? {} : { topic: file.topic ?? '', output: outputOf(file) }
  const mqtt = completed(written, (text) => withParameters(text, parameters))
  const output = mqtt.set?.kind === 'switch' ? mqtt.set.on : ''
  return { driver: 'mqtt', topic: mqtt.set?.topic ?? mqtt.state?.topic ?? '', output, mqtt }
}

function outputOf({ profile = '', output }: FileRelay): string {
  return String(output ?? profiles().get(profile)?.relay?.first_output ?? '')
}

function completed({ set, state, online, auto_off_s }: Written, place: (text: string) => string): MqttRelay {
  return {
    set: set ? settingOf(set, place) : null,
    state: state
      ? {
          topic: place(state.topic),
          path: state.path ?? '.',
          on: String(state.on ?? 'ON'),
          off: state.off === undefined ? null : String(state.off),
          watts: state.watts ?? null,
        }
      : null,
    online: online
      ? {
          topic: place(online.topic),
          path: online.path ?? '.',
          on: String(online.on),
          off: online.off === undefined ? null : String(online.off),
        }
      : null,
    autoOffS: typeof auto_off_s === 'number' ? auto_off_s : null,
  }
}

function settingOf(set: NonNullable<Written['set']>, place: (text: string) => string): MqttRelay['set'] {
  const topic = place(set.topic)
  if ('percent' in set) return { kind: 'percent', topic, payload: place(payloadOf(set)), scale: set.scale ?? 100 }
  if (!('run_s' in set)) return { kind: 'switch', topic, on: place(String(set.on)), off: place(String(set.off)) }
  const { open, close, stop, close_topic, run_s: runS } = set
  const closeTopic = close_topic === undefined ? null : place(close_topic)
  return { kind: 'three-point', topic, closeTopic, open: String(open), close: String(close), stop: String(stop), runS }
}

const payloadOf = ({ path, payload }: { path?: string; payload?: string }): string => {
  if (path === undefined) return payload ?? VALUE
  return JSON.stringify(placedAt(path, VALUE)).replace(`"${VALUE}"`, VALUE)
}

const SET =
  'the driver mqtt needs set: { topic, on, off }, { topic, percent: true } or { topic, open, close, stop, run_s }'

/** A relay is named by a driver or by a profile, and each needs its own fields. */
export function namingFaults(file: FileRelay, at: (string | number)[]): Fault[] {
  const isChannel = at[0] === 'channels'
  const wrong = (field: string, message: string): Fault[] => [{ path: field === '' ? at : [...at, field], message }]
  if ((file.driver === undefined) === (file.profile === undefined)) return wrong('', 'needs either driver or profile')
  if (file.driver === 'mqtt') {
    if (!file.set && !isChannel) return wrong('set', SET)
    if (file.set && 'run_s' in file.set)
      return isChannel ? [] : wrong('set', 'a motor with open, close and stop is for channels')
    if (file.set && 'percent' in file.set) return percentFaults(file.set, [...at, 'set'])
    if (!file.set && !file.state) return wrong('set', `${SET} or, for a channel that only reports, state: { topic }`)
    return file.topic === undefined ? [] : wrong('topic', 'the driver mqtt has its topics under set, state and online')
  }
  if (file.set) return wrong('set', 'is for the driver mqtt')
  if (file.topic === undefined) return wrong('topic', 'is missing')
  if (file.profile === undefined) return []
  const withRelay = [...profiles().values()].filter(({ relay }) => relay).map(({ profile }) => profile)
  return withRelay.includes(file.profile)
    ? []
    : wrong('profile', `there is no profile ${file.profile} with a relay; there are: ${withRelay.join(', ')}`)
}

function percentFaults({ path, payload }: { path?: string; payload?: string }, at: (string | number)[]): Fault[] {
  if (payload === undefined) return []
  if (path !== undefined) return [{ path: [...at, 'payload'], message: 'stands beside path; give one of the two' }]
  return payload.includes(VALUE) ? [] : [{ path: [...at, 'payload'], message: `needs ${VALUE}, which is the position` }]
}
