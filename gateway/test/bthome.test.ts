import { createCipheriv } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bthome } from '../src/adapters/bthome.ts'
import { decodeBthome } from '../src/adapters/bthome-format.ts'

const MAC = '54:48:E6:8F:80:A5'
const KEY = '231d39c1d7cc1ab1aee224cd096db932'
const SEALED = '41a47266c95f730011223378237214'
const NOW = Date.parse('2026-01-10T08:15:03.000Z')

const decode = (hex: string, key = KEY) => decodeBthome(Buffer.from(hex, 'hex'), MAC, () => key)

describe('the BTHome format', () => {
  test('plain temperature and humidity', () => {
    expect(decode('4002ca0903bf13')).toMatchObject({
      kind: 'measured',
      values: { temperature: 25.06, humidity: 50.55 },
      counter: null,
    })
  })

  test('the same reading encrypted', () => {
    expect(decode(SEALED)).toMatchObject({
      kind: 'measured',
      values: { temperature: 25.06, humidity: 50.55 },
      counter: 0x33221100,
    })
  })

  test('a Shelly BLU H&T', () => {
    expect(decode('44004e01642e3f45df00')).toMatchObject({
      kind: 'measured',
      values: { batt: 100, humidity: 63, temperature: 22.3 },
    })
  })

  test.each([
    ['4045d8ff', -4],
    ['4002a8fd', -6],
    ['4057ea', -22],
    ['4058ea', -7.7],
  ])('%s is %d °C: temperatures are signed', (hex, temperature) => {
    expect(decode(hex)).toMatchObject({ values: { temperature } })
  })

  test('voltage and button are passed over', () => {
    expect(decode('400c020c3a0145df00')).toMatchObject({ values: { temperature: 22.3 } })
  })

  test('an unknown object ends the parsing; what came before counts', () => {
    expect(decode('4001640502ca09')).toMatchObject({ values: { batt: 100 } })
    expect(decode('4001640502ca09')).not.toMatchObject({ values: { temperature: expect.anything() } })
  })

  test('a second temperature is another probe, and the first counts', () => {
    expect(decode('4002ca0945df00')).toMatchObject({ values: { temperature: 25.06 } })
  })

  test('an address inside the message is the sender’s, last byte first', () => {
    expect(decode('42a5808fe6485402ca09')).toMatchObject({ mac: '5448e68f80a5', values: { temperature: 25.06 } })
  })

  test('without the key it is encrypted, with the wrong one unreadable', () => {
    expect(decodeBthome(Buffer.from(SEALED, 'hex'), MAC, () => undefined)).toMatchObject({ kind: 'encrypted' })
    expect(decode(SEALED, KEY.replace('2', '3'))).toEqual({ kind: 'unreadable' })
  })

  test('one changed bit anywhere is noticed', () => {
    const bits = (SEALED.length / 2) * 8
    fc.assert(
      fc.property(fc.integer({ min: 8, max: bits - 1 }), (bit) => {
        const data = Buffer.from(SEALED, 'hex')
        data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(decodeBthome(data, MAC, () => KEY)).toEqual({ kind: 'unreadable' })
      }),
    )
  })

  test.each(['', '40', '2002ca09', '6002ca09', '42a580', '4100', '4002ca'])('%s harms nobody', (hex) => {
    expect(decode(hex)).not.toMatchObject({ values: { temperature: expect.anything() } })
  })

  test('any bytes at all are answered', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (data) => {
        expect(['measured', 'encrypted', 'unreadable']).toContain(decodeBthome(data, MAC, () => KEY).kind)
      }),
    )
  })
})

describe('BTHome over MQTT', () => {
  const keys = new Map([['5448e68f80a5', KEY]])
  const hear = (adapter: ReturnType<typeof bthome>, payload: string, atMs = NOW, rssi = -63) =>
    adapter.understand({
      topic: 'shelly/events/ble',
      payload: Buffer.from(JSON.stringify({ src: 'shelly', srcBle: { mac: MAC.toLowerCase(), rssi }, payload })),
      retained: false,
      nowMs: atMs,
    }).readings
  const started = () => bthome({ topics: ['+/events/ble'], keys }, new Map())

  test('a broadcast is a reading', () => {
    expect(hear(started(), SEALED)).toMatchObject([
      { id: '54:48:e6:8f:80:a5', temperature: 25.06, humidity: 50.55, batt: null, rssi: -63 },
    ])
  })

  test('the counter must rise', () => {
    const adapter = started()
    expect(hear(adapter, sealed(7000))).toHaveLength(1)
    expect(hear(adapter, sealed(6999), NOW + 1_000)).toEqual([])
    expect(hear(adapter, sealed(7001), NOW + 2_000)).toHaveLength(1)
    expect(hear(adapter, sealed(7001), NOW + 60_000)).toEqual([])
    expect(hear(adapter, sealed(6000), NOW + 86_400_000)).toEqual([])
  })

  test('the same broadcast heard by two boxes at once is heard from both', () => {
    const adapter = started()
    expect(hear(adapter, sealed(7000), NOW, -80)).toHaveLength(1)
    expect(hear(adapter, sealed(7000), NOW + 800, -60)).toMatchObject([{ rssi: -60 }])
  })

  test('a new battery starts the count anew, after a silence', () => {
    const adapter = started()
    hear(adapter, sealed(7000))
    expect(hear(adapter, sealed(3), NOW + 60_000)).toEqual([])
    expect(hear(adapter, sealed(4), NOW + 1_200_000)).toHaveLength(1)
  })

  test('counters outlive the adapter', () => {
    const counters = new Map()
    hear(bthome({ topics: [], keys }, counters), sealed(7000))
    expect(hear(bthome({ topics: [], keys }, counters), sealed(6999), NOW + 1_000)).toEqual([])
  })
})

function sealed(count: number): string {
  const counter = Buffer.alloc(4)
  counter.writeUInt32LE(count)
  const info = Buffer.from([0x41])
  const nonce = Buffer.concat([Buffer.from(MAC.replaceAll(':', ''), 'hex'), Buffer.from('d2fc', 'hex'), info, counter])
  const cipher = createCipheriv('aes-128-ccm', Buffer.from(KEY, 'hex'), nonce, { authTagLength: 4 })
  const hidden = Buffer.concat([cipher.update(Buffer.from('02ca0903bf13', 'hex')), cipher.final()])
  return Buffer.concat([info, hidden, counter, cipher.getAuthTag()]).toString('hex')
}
