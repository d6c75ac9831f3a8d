// A unit test that listens or starts a process fails here: it would belong to `npm test` alone.
import { ChildProcess } from 'node:child_process'
import { Server } from 'node:net'

const refuse = (what: string) => () => {
  throw new Error(`a unit test must not ${what}; see STARTS in testing/src/unit-files.ts`)
}

Server.prototype.listen = refuse('listen on a port')
Object.assign(ChildProcess.prototype, { spawn: refuse('start a process') })
