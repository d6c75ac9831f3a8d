import crypto, { type ScryptOptions } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Derived = (error: Error | null, key: Buffer) => void
type Derive = (password: string, salt: string, length: number, options: ScryptOptions, then: Derived) => void

const derive = crypto.scrypt as Derive
const keys = new Map<string, Buffer>()

/** Deriving a key from a password is slow on purpose, 90 ms: the tests enter few passwords, and many times. */
const once: Derive = (password, salt, length, options, then) => {
  const entered = JSON.stringify([password, salt, length, options])
  const known = keys.get(entered)
  if (known) return setImmediate(then, null, Buffer.from(known))
  derive(password, salt, length, options, (error, key) => {
    if (!error) keys.set(entered, Buffer.from(key))
    then(error, key)
  })
}

crypto.scrypt = once as typeof crypto.scrypt
syncBuiltinESMExports()
