export { type RunOptions, runGateway } from './agent/run.ts'
export { GatewayError } from './base/error.ts'
export type { Log } from './base/log.ts'
export { runAgentCommand } from './cli/command-line.ts'
export {
  type AutoOffOptions,
  type AutoOffResult,
  type TestOptions,
  testAutoOff,
  testChannel,
} from './cli/test-channel.ts'
export { loadGatewayConfig, parseGatewayFile } from './config/load.ts'
export type { BrokerSettings, ChannelSettings, GatewaySettings, ServiceSettings } from './config/settings.ts'
export { type DiscoverOptions, discover } from './discover/index.ts'
export { type Discovery, describeRelay, describeSensor, startingFile } from './discover/starting-file.ts'
export { type PairOptions, type PairResult, pairGateway } from './pairing/pair.ts'
export { type Rehearsal, type RehearseOptions, rehearse } from './rehearse/rehearse.ts'
export { AutoOffProofs } from './valves/auto-off.ts'
