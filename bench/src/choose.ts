/** What the command line asks for; null when it asked for help, or cannot be understood: both are then printed. */
export function chosenOptions<T extends object>(read: (args: string[]) => T | { help: string }): T | null {
  try {
    const options = read(process.argv.slice(2))
    if (!('help' in options)) return options as T
    console.log(options.help)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
  return null
}
