import type { Command } from 'commander'
import { asHolder } from '../holder/session.ts'

export function mcpCommand(program: Command): void {
  program
    .command('mcp')
    .description('serve the rooms to an assistant over standard input and output (Model Context Protocol)')
    .action(() =>
      asHolder(async (client) => {
        const [{ assistantServer }, { serveStdio }] = await Promise.all([
          import('@hypocaust/mcp'),
          import('@hypocaust/mcp/stdio.ts'),
        ])
        // Asked before the first message: a wrong key is an error in the assistant's log and not in each answer.
        const { permission } = await client.getKey()
        serveStdio(() => assistantServer({ client, permission, now: Date.now }))
      }),
    )
}
