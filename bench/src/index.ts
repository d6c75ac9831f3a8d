export type { CreatePlant, Plant, PlantChoice, PlantStep, Setpoint } from './plant.ts'
