import type { FloorType } from '@hypocaust/domain'
import type { ReactNode } from 'react'

const TILES = <path d="M2 8h76v6H2zM21 8v6M40 8v6M59 8v6" />
const BOARDS = <path d="M2 6h76v8H2zM40 6v8M8 10h10M24 9h8M46 10h12M64 11h8" />
const INSULATION = <path d="M2 40h76M2 46l6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6 6 6 6-6" />

const pipes = (y: number) => [14, 31, 49, 66].map((x) => <circle key={x} cx={x} cy={y} r="4" className="text-warm" />)
const grains = (ys: number[]) =>
  ys.flatMap((y, row) => [6, 22, 38, 54, 70].map((x) => <path key={`${x} ${y}`} d={`M${x + (row % 2) * 6} ${y}h.1`} />))

/** A floor cut open, the pipes or wires in the colour of warmth. */
const LAYERS: Record<FloorType, ReactNode> = {
  screed: (
    <>
      {TILES}
      <path d="M2 14h76v26H2z" />
      {grains([20])}
      {pipes(32)}
      {INSULATION}
    </>
  ),
  dry: (
    <>
      <path d="M2 8h76v5H2zM2 13h76v5H2zM40 8v5M21 13v5M59 13v5" />
      {pipes(23)}
      <path d="M2 29h76" />
      <path d="M2 46l8.5-17 8.5 17 8.5-17 8.5 17 8.5-17 8.5 17 8.5-17 8.5 17 8.5-17" />
    </>
  ),
  timber: (
    <>
      {BOARDS}
      <path d="M2 14h76v26H2z" />
      {grains([20])}
      {pipes(32)}
      {INSULATION}
    </>
  ),
  slab: (
    <>
      <path d="M2 8h76v38H2z" />
      {grains([14, 20, 42])}
      {pipes(32)}
    </>
  ),
  electric: (
    <>
      {TILES}
      <path
        className="text-warm"
        d="M4 19c3-4 5 4 8 0s5 4 8 0 5 4 8 0 5 4 8 0 5 4 8 0 5 4 8 0 5 4 8 0 5 4 8 0 5 4 8 0"
      />
      <path d="M2 24h76v22H2z" />
      {grains([30, 36, 42])}
    </>
  ),
}

export const FloorPicture = ({ type }: { type: FloorType }) => (
  <svg
    viewBox="0 0 80 48"
    width="80"
    height="48"
    aria-hidden="true"
    className="shrink-0 [&_.text-warm]:stroke-warm"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    {LAYERS[type]}
  </svg>
)
