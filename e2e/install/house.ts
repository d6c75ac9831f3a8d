import { stringify } from 'yaml'

const EMAIL = 'ada@example.org'

/** The house of a trial: one room with the thermometer and the relay of play-devices.ts. */
export const HOUSE_FILE = stringify({
  name: 'Lakeside 12',
  location: { lat: 59.91, lng: 10.75 },
  timezone: 'Europe/Oslo',
  gateways: [{ name: 'cellar' }],
  rooms: [
    {
      name: 'Bathroom',
      floor_type: 'dry',
      sensor: 'a4:c1:38:5e:01:02',
      valves: [{ gateway: 'cellar', channel: 1 }],
      target_temperature: 22,
    },
  ],
})

/** Runs a command of the product with this input, and returns what it printed. */
export type Command = (args: string[], input?: string) => Promise<string>

/** In place of the pages on which a person creates account, building, gateway and key. */
export async function settleHouse(hypocaust: Command, houseFile: string): Promise<{ code: string; key: string }> {
  await hypocaust(['account', 'create', EMAIL, '--password-stdin'], 'a long password\n')
  await hypocaust(['building', 'apply', houseFile, '--account', EMAIL])
  const [gateway] = JSON.parse(await hypocaust(['gateway', 'list', '--json']))
  const pairing = await hypocaust(['gateway', 'pairing-code', gateway.id])
  const [code] = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec(pairing) ?? []
  const created = await hypocaust(['key', 'create', '--account', EMAIL, '--name', 'Trial', '--permission', 'write'])
  const [key] = /hyp_\w+/.exec(created) ?? []
  if (!code || !key) throw new Error(`no code or key in: ${pairing} ${created}`)
  return { code, key }
}

/** What the page asks a person to do in an editor. */
export const withoutCommentSigns = (gatewayFile: string): string => gatewayFile.replace(/^ {2}# - /gm, '  - ')
