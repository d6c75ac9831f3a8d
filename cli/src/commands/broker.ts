import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  MOSQUITTO_SERVICE_USER,
  mosquittoAcl,
  mosquittoConfig,
  mosquittoPasswords,
  newSecret,
} from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, withStore } from '../context.ts'
import { Failure } from '../failure.ts'
import { printJson } from '../output.ts'

export function brokerCommands(program: Command): void {
  const broker = program.command('broker').description('set up an MQTT broker outside the service')

  addSettingFlags(
    broker.command('mosquitto-config').description('write what Mosquitto needs to know of the gateways'),
    ['data'],
  )
    .option('--out <DIR>', 'folder for the files', './mosquitto')
    .option('--json', 'print JSON')
    .action(async (flags: { out: string; json?: boolean }, command: Command) => {
      const folder = resolve(flags.out)
      const passwordFile = join(folder, 'service-password')
      try {
        mkdirSync(folder, { recursive: true })
        // Kept, so that running this again does not lock the service out.
        if (!existsSync(passwordFile)) writeFileSync(passwordFile, newSecret('hypg_'), { mode: 0o600 })
        const servicePassword = readFileSync(passwordFile, 'utf8').trim()
        const passwords = await withStore(command, (store) => mosquittoPasswords(store, servicePassword))
        writeFileSync(join(folder, 'acl'), mosquittoAcl(), { mode: 0o644 })
        writeFileSync(join(folder, 'passwords'), passwords, { mode: 0o644 })
        writeFileSync(join(folder, 'hypocaust.conf'), mosquittoConfig(folder), { mode: 0o644 })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).syscall === undefined) throw error
        throw new Failure(`cannot write to ${folder}: ${(error as Error).message}`)
      }
      if (flags.json) printJson({ folder, files: ['hypocaust.conf', 'acl', 'passwords', 'service-password'] })
      else console.log(advice(folder, passwordFile))
    })
}

const advice = (folder: string, passwordFile: string) => `Written to ${folder}: hypocaust.conf, acl, passwords.

Mosquitto: add a line to its configuration, with a listener beside it, and restart it:

  listener 1883
  include_dir ${folder}

Hypocaust: start it with

  HYPOCAUST_MQTT_URL="mqtt://${MOSQUITTO_SERVICE_USER}:$(cat ${passwordFile})@127.0.0.1:1883"

After a gateway was added, removed, or got a new token, run this command again and let Mosquitto read the files anew:

  pkill -HUP mosquitto`
