import { expect, test } from 'vitest'
import { brokerAddress } from '../src/broker-address.ts'

test.each([
  ['mqtt://127.0.0.1', { protocol: 'mqtt', host: '127.0.0.1' }],
  ['mqtts://mqtt.example.org:8883', { protocol: 'mqtts', host: 'mqtt.example.org', port: 8883 }],
  ['mqtt://[fd00::7]:1883', { protocol: 'mqtt', host: 'fd00::7', port: 1883 }],
  ['ws://[fd00::7]:9001/mqtt?a=b', { protocol: 'ws', host: '[fd00::7]', port: 9001, path: '/mqtt?a=b' }],
  ['wss://mqtt.example.org', { protocol: 'wss', host: 'mqtt.example.org', path: '/' }],
  ['mqtt://cellar@host', { protocol: 'mqtt', host: 'host', username: 'cellar' }],
])('%s is read as a client wants it', (url, address) => {
  expect(brokerAddress(url)).toEqual(address)
})

test('a name and password keep their colons and signs', () => {
  expect(brokerAddress('mqtt://a%3Ab:p%40ss%3Aword%25@host')).toMatchObject({ username: 'a:b', password: 'p@ss:word%' })
})
