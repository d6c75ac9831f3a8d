import type { Command, Option } from 'commander'
import { exitCodes } from './failure.ts'

/** The manual page of the command (man 7 man), from the commands themselves. */
export function manualPage(program: Command): string {
  return [
    `.TH HYPOCAUST 1 "" "hypocaust ${text(program.version() ?? '')}" "User Commands"`,
    '.SH NAME',
    `hypocaust \\- ${text(program.description())}`,
    '.SH SYNOPSIS',
    '.B hypocaust',
    text('<command> [options]'),
    '.SH COMMANDS',
    ...leavesOf(program).flatMap(commandLines),
    '.SH EXIT STATUS',
    ...exitCodes().flatMap(([code, meaning]) => ['.TP', String(code), text(meaning)].join('\n')),
    '',
  ].join('\n')
}

/** The commands that do something, and not those that only group others. */
function leavesOf(command: Command): Command[] {
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== 'help')
  return visible.flatMap((each) => (each.commands.length === 0 ? [each] : leavesOf(each)))
}

const pathOf = (command: Command): string =>
  command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()

function commandLines(command: Command): string[] {
  const options = command.createHelp().visibleOptions(command)
  return [
    `.SS ${text(`${pathOf(command)} ${command.usage()}`)}`,
    text(command.description()),
    ...options.flatMap(optionLines),
  ]
}

const optionLines = ({ flags, description, defaultValue }: Option): string[] => [
  '.TP',
  `\\fB${text(flags)}\\fR`,
  text(defaultValue === undefined ? description : `${description} (default: ${defaultValue})`),
]

/** A backslash, a hyphen and a dot or an apostrophe at the beginning of a line mean something to the formatter. */
const text = (plain: string): string =>
  plain
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll(/\s+/g, ' ')
    .replace(/^([.'])/, '\\&$1')
