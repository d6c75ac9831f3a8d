import { downTopic } from '@hypocaust/domain'
import type { MovedGateway } from '../../house/gateways/moved.ts'
import type { MqttLink } from './link.ts'

/** Not retained: a gateway that connects later gets it when it reports. */
export const publishMove = (link: MqttLink, { id, brokerUrl }: MovedGateway): Promise<boolean> =>
  link.publish(downTopic(id, 'move'), JSON.stringify({ url: brokerUrl }), { qos: 1, retain: false })
