import { expect, test } from 'vitest'
import { isOwnName } from '../src/doors/http/app/own-name.ts'

test.each([
  '127.0.0.1',
  '192.168.1.20',
  '[::1]',
  'localhost',
  'cellar',
  'cellar.local',
  'pi.fritz.box',
  'Heating.Example',
])('%s can be the service’s own name', (name) => expect(isOwnName(name, 'heating.example')).toBe(true))

test.each(['rebound.example', 'heating.example.attacker.test', '127.0.0.1.nip.io', 'local.attacker.test'])(
  '%s cannot',
  (name) => expect(isOwnName(name, 'heating.example')).toBe(false),
)
