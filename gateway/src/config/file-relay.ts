import type { FileChannel } from './schema.ts'

/** What a channel, the pump or the boiler say of their relay. */
export type FileRelay = Pick<
  FileChannel,
  'driver' | 'profile' | 'topic' | 'output' | 'set' | 'state' | 'online' | 'auto_off_s'
>
