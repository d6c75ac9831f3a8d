import { parentPort } from 'node:worker_threads'
import type { PlantChoice } from '../comfort/plant.ts'
import { flexibleHouse } from './house.ts'

parentPort?.on('message', (choice: PlantChoice) => parentPort?.postMessage(flexibleHouse(choice)))
