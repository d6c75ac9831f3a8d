/** What a person may enter of a loop. */
export const LOOP_FIGURES = {
  length_m: { minimum: 1, maximum: 300 },
  spacing_mm: { minimum: 20, maximum: 600 },
  design_flow_l_min: { minimum: 0.05, maximum: 20 },
}
export type LoopFigure = keyof typeof LOOP_FIGURES
