import { TOPIC_ROOT } from '@hypocaust/domain'
import { mosquittoHash } from '../../house/gateways/token.ts'
import type { Store } from '../../store/store.ts'

export const MOSQUITTO_SERVICE_USER = 'hypocaust'

/** Each gateway speaks and hears below its own id, which is its user name; the service everywhere, and with Home Assistant. */
export const mosquittoAcl = (): string => `user ${MOSQUITTO_SERVICE_USER}
topic readwrite ${TOPIC_ROOT}/#
topic readwrite hypocaust/ha/#
topic readwrite homeassistant/device/#
topic read homeassistant/status

pattern write ${TOPIC_ROOT}/%u/up/#
pattern read ${TOPIC_ROOT}/%u/down/#
`

/** All gateways that have a token, those whose building has left for another service, and the service itself, in the form of Mosquitto's password file. */
export async function mosquittoPasswords({ db }: Store, servicePassword: string): Promise<string> {
  const columns = ['id', 'mqttHash'] as const
  const here = await db.selectFrom('gateways').select(columns).orderBy('id').execute()
  const moved = await db.selectFrom('movedGateways').select(columns).orderBy('id').execute()
  const gateways = [...here, ...moved.filter(({ id }) => !here.some((gateway) => gateway.id === id))]
  const lines = gateways.flatMap(({ id, mqttHash }) => (mqttHash === null ? [] : [`${id}:${mqttHash}`]))
  return `${[`${MOSQUITTO_SERVICE_USER}:${mosquittoHash(servicePassword)}`, ...lines].join('\n')}\n`
}

export const mosquittoConfig = (folder: string): string => `per_listener_settings false
allow_anonymous false
password_file ${folder}/passwords
acl_file ${folder}/acl
max_packet_size 262144
`
