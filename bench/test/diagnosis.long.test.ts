import { expect, test } from 'vitest'
import { recordHouse } from '../src/diagnosis/house.ts'
import { looksAt } from '../src/diagnosis/look.ts'
import { readDiagnosisOptions } from '../src/diagnosis/options.ts'

const SEED = 2

test('a stuck actuator is named, and nothing is said of a healthy house', () => {
  const winter = recordHouse({ seed: SEED, condition: 'winter', isPlanned: false })
  expect(looksAt(winter, 'winter', SEED).filter(({ named }) => named)).toEqual([])
  const stuck = recordHouse({ seed: SEED, condition: 'stuck-closed', isPlanned: false }, winter)
  const looks = looksAt(stuck, 'stuck-closed', SEED)
  expect(looks.filter(({ expected, named }) => expected === null && named)).toEqual([])
  expect(looks.filter(({ expected }) => expected !== null).at(-1)?.named?.cause).toBe('actuator_stuck_closed')
})

test('houses are named by their number, and what is not known is refused', () => {
  expect(readDiagnosisOptions(['--houses', '3'])).toMatchObject({ seeds: [1, 2, 3], isPlanned: false, keptIn: null })
  expect(() => readDiagnosisOptions(['--seeds', '1,x'])).toThrow('whole numbers above zero')
  expect(() => readDiagnosisOptions(['--only', 'ghost'])).toThrow('only must name some of: winter')
})
