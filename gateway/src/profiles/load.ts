import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Value from 'typebox/value'
import { parse } from 'yaml'
import { GatewayError } from '../base/error.ts'
import { Profile } from './schema.ts'

const FOLDER = resolve(import.meta.dirname, '../../profiles')

let loaded: ReadonlyMap<string, Profile> | undefined

/** All profiles that come with the program, by name. */
export function profiles(): ReadonlyMap<string, Profile> {
  loaded ??= new Map(
    readdirSync(FOLDER)
      .filter((file) => file.endsWith('.yaml'))
      .sort()
      .map((file) => profileIn(join(FOLDER, file)))
      .map((profile) => [profile.profile, profile]),
  )
  return loaded
}

function profileIn(file: string): Profile {
  const value: unknown = parse(readFileSync(file, 'utf8'))
  if (Value.Check(Profile, value)) return value
  const fault = Value.Errors(Profile, value).find((error) => error.keyword !== 'anyOf')
  throw new GatewayError(`${file}: ${fault?.instancePath ?? ''} ${fault?.message ?? 'is not a profile'}`)
}
