import { timestampOf } from '@hypocaust/domain'
import { explainRoom, findRooms } from '@hypocaust/service'
import type { Command } from 'commander'
import { addSettingFlags, withStore } from '../context.ts'
import { Failure, NotFound, UsageFailure } from '../failure.ts'
import { printJson } from '../output.ts'

export function explainCommand(program: Command): void {
  addSettingFlags(program.command('explain <room>').description('explain why a room is heating or not'), ['data'])
    .option('--at <TIME>', 'at a past moment, as 2026-01-10T08:15')
    .option('--json', 'print JSON')
    .action(async (room: string, flags: { at?: string; json?: boolean }, command: Command) => {
      const atMs = flags.at === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(flags.at)
      if (Number.isNaN(atMs)) throw new UsageFailure(`--at: ${flags.at} is not a time; for example 2026-01-10T08:15`)
      const { found, explanation } = await withStore(command, async (store) => {
        const [found, ...others] = await findRooms(store, room)
        if (!found) throw new NotFound(`there is no room ${room}`)
        if (others.length > 0)
          throw new Failure(
            `there are several rooms ${room}; name one by its id: ${[found, ...others].map(({ id }) => id).join(', ')}`,
          )
        return { found, explanation: await explainRoom(store, found.id, atMs) }
      })
      if (!explanation) throw new Failure(`nothing has been decided for ${found.name} yet${flags.at ? ' by then' : ''}`)
      if (flags.json) {
        printJson({ room: found, decided_at: timestampOf(explanation.decidedAt), ...explanation })
        return
      }
      console.log(`${found.name}, ${timestampOf(explanation.decidedAt)}\n${explanation.sentence}`)
      for (const line of explanation.details) console.log(`  ${line}`)
    })
}
