import { expect, test } from 'vitest'
import { addressForGateway } from '../src/doors/http/app/gateway-address.ts'

const addresses = ['127.0.0.1', '::1', '169.254.1.1', '192.168.1.20', 'fe80::1']

test('a gateway is given an address it can reach, not the localhost of the person who set it up', () => {
  const onAll = { listensOn: '0.0.0.0', addresses }
  expect(addressForGateway('http://localhost:8080', onAll)).toBe('http://192.168.1.20:8080')
  expect(addressForGateway('https://127.0.0.1:8080', onAll)).toBe('https://192.168.1.20:8080')
  expect(addressForGateway('http://[::1]:8080', { ...onAll, listensOn: '::' })).toBe('http://192.168.1.20:8080')
  expect(addressForGateway('http://localhost:8080', { ...onAll, publicUrl: 'https://heat.example/' })).toBe(
    'https://heat.example',
  )
})

test('the address by which the page was opened is kept where others can reach it, or where there is no other', () => {
  expect(addressForGateway('http://pi.local:8080', { listensOn: '0.0.0.0', addresses })).toBe('http://pi.local:8080')
  expect(addressForGateway('http://localhost:8080', { listensOn: '127.0.0.1', addresses })).toBe(
    'http://localhost:8080',
  )
  expect(addressForGateway('http://localhost:8080', { addresses: [] })).toBe('http://localhost:8080')
})
