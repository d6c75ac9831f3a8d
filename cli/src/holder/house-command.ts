import type { Command } from 'commander'

export interface HouseFlags {
  building?: string
  json?: boolean
}

/** What every command about a house has: whose house, and how it prints. */
export const aboutHouse = (command: Command, description: string): Command =>
  command
    .description(description)
    .option('--building <NAME>', 'where there is more than one')
    .option('--json', 'print JSON')
