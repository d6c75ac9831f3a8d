interface Help {
  summary: string
  usage: string
  /** Each option with what it means, and further lines. */
  options: [string, string][]
  notes?: string
}

const CONFIG: [string, string] = ['--config FILE', 'the configuration (default: gateway.yaml)']
const JSON_OUTPUT: [string, string] = ['--json', 'print JSON']

export const HELP = {
  run: { summary: 'run the agent', usage: '[--config gateway.yaml]', options: [CONFIG] },
  test: {
    summary: 'open one loop for a minute, or prove that relays switch off by themselves',
    usage: '--channel 3 [--seconds 60] | --auto-off [--channel 3] [--seconds 15]',
    options: [
      CONFIG,
      ['--channel N', 'the channel to open; with --auto-off all channels unless given'],
      ['--seconds N', 'for how long: 60 unless given, with --auto-off 15 (12 to 600)'],
      ['--auto-off', 'prove that each relay goes back by itself when no command comes; once for each relay'],
      ['--json', 'with --auto-off: print JSON'],
    ],
    notes: 'A running agent leaves the channel alone meanwhile.',
  },
  rehearse: {
    summary: 'show when each loop, pump and boiler would switch, in simulated time',
    usage: '--power 1=0.2,2=0.05 [--hours 24] [--window 900]',
    options: [
      CONFIG,
      ['--power LIST', 'the power of each channel, 0 to 1'],
      ['--hours N', 'how long: 24 unless given'],
      ['--window N', 'seconds of a window: 900 unless given'],
      JSON_OUTPUT,
    ],
  },
  discover: {
    summary: 'list the devices on a broker, and write a file to start from',
    usage: '--mqtt mqtt://127.0.0.1:1883 [--username U --password P] [--seconds 60] [--out gateway.yaml]',
    options: [
      ['--mqtt URL', 'the device broker'],
      ['--username U', 'and --password P, where the broker asks for them'],
      ['--seconds N', 'for how long it listens: 60 unless given'],
      ['--out FILE', 'the file to write (default: gateway.yaml); it must not exist'],
      JSON_OUTPUT,
    ],
  },
  read: {
    summary: 'explain messages of devices',
    usage: '[--config gateway.yaml] [TOPIC PAYLOAD]',
    options: [['--config FILE', 'with the mappings of this configuration'], JSON_OUTPUT],
    notes: 'Without TOPIC PAYLOAD it reads JSON lines {"topic": "…", "payload": "…"} from standard input.',
  },
  pair: {
    summary: 'exchange the pairing code that the service shows for the identity of this gateway',
    usage: '--service https://ADDRESS --code ABCD-EFGH',
    options: [
      CONFIG,
      ['--service URL', 'the address of the service'],
      ['--code CODE', 'the pairing code'],
      ['--authority SHA256', 'the fingerprint of the service’s own authority, as the service prints it'],
      ['--ca FILE', 'or the certificate of that authority'],
      JSON_OUTPUT,
    ],
  },
} satisfies Record<string, Help>

export type CommandName = keyof typeof HELP

export const isCommand = (name: string): name is CommandName => Object.hasOwn(HELP, name)

const columns = (rows: [string, string][]): string => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`).join('\n')
}

/** Of all commands, or of one. */
export function helpOf(name: string): string {
  if (!isCommand(name))
    return `Usage: hypocaust gateway <command> [options]

${columns(Object.entries(HELP).map(([command, { summary }]) => [command, summary]))}

Options of a command: hypocaust gateway <command> --help`
  const { summary, usage, options, notes }: Help = HELP[name]
  const sentence = `${summary[0]?.toUpperCase()}${summary.slice(1)}.`
  return `Usage: hypocaust gateway ${name} ${usage}\n\n${sentence}${notes ? ` ${notes}` : ''}\n\n${columns(options)}`
}
