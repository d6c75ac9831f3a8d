import { Argument, type Command } from 'commander'
import { SHELLS, type Shell } from '../completion/scripts.ts'
import { wordsOf } from '../completion/words.ts'
import { printJson } from '../output.ts'

/** Made from the commands themselves, so that it knows all of them and no others. */
export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('print the completion of a shell, as in: source <(hypocaust completion bash)')
    .addArgument(new Argument('<shell>', 'which shell').choices(Object.keys(SHELLS)))
    .option('--json', 'print JSON')
    .action((shell: Shell, { json }: { json?: boolean }) => {
      const script = SHELLS[shell](wordsOf(program))
      if (json) printJson({ shell, script })
      else console.log(script)
    })
}
