import type { Command } from 'commander'
import { manualPage } from '../manual-page.ts'
import { printJson } from '../output.ts'

export function manCommand(program: Command): void {
  program
    .command('man')
    .description('print the manual page, as in: hypocaust man | man -l -')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => {
      const page = manualPage(program)
      if (json) printJson({ page })
      else process.stdout.write(page)
    })
}
