import { workerData } from 'node:worker_threads'
import { type Beats, watchBeats } from '../base/beats.ts'

watchBeats(workerData as Beats)
