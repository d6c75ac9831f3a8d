export type { CreatePlant, Plant, PlantChoice, PlantStep, Setpoint } from './comfort/plant.ts'
