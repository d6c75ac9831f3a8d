import type { ScreedStart } from '@hypocaust/domain'
import { hoursOf, SCREED_LIMIT, type ScreedStep, screedSteps } from '@hypocaust/domain/facts'
import { readYaml } from '@hypocaust/domain/yaml'
import Type from 'typebox'
import Value from 'typebox/value'
import { errors } from '../../base/errors.ts'

const closed = { additionalProperties: false }

/** A programme as a file has it. */
const ProgrammeFile = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100 }),
    steps: Type.Array(
      Type.Object(
        {
          hours: Type.Number({ exclusiveMinimum: 0, maximum: SCREED_LIMIT.hours }),
          supply_c: Type.Number({ minimum: SCREED_LIMIT.leastC, maximum: SCREED_LIMIT.mostC }),
        },
        closed,
      ),
      { minItems: 1, maxItems: SCREED_LIMIT.steps },
    ),
  },
  closed,
)

/** What is to be run: its name and its steps, within what the heat source may be asked for. */
export function programmeOf(start: ScreedStart, source: { leastC: number; mostC: number }) {
  const programme = start.programme === 'own' ? fromFile(start) : stored(start.programme, start)
  if (hoursOf(programme.steps) > SCREED_LIMIT.hours)
    throw errors.invalidValue(`file: the programme is longer than ${SCREED_LIMIT.hours / 24} days.`)
  const out = programme.steps.find(({ supply_c }) => supply_c < source.leastC || supply_c > source.mostC)
  if (out)
    throw errors.invalidValue(
      `${start.programme === 'own' ? 'file' : 'max'}: ${out.supply_c} °C is not between ${source.leastC} and ${source.mostC} °C, the limits of the heat source.`,
    )
  return programme
}

function stored(
  programme: 'functional' | 'covering',
  { max, file }: ScreedStart,
): { name: string; steps: ScreedStep[] } {
  if (max === undefined) throw errors.invalidValue('max: the warmest water of the programme is missing.')
  if (file !== undefined) throw errors.invalidValue('file: it belongs to the programme own.')
  return { name: programme, steps: screedSteps(programme, max) }
}

function fromFile({ file, max }: ScreedStart): { name: string; steps: ScreedStep[] } {
  if (file === undefined) throw errors.invalidValue('file: the programme own needs a file with its steps.')
  if (max !== undefined) throw errors.invalidValue('max: the file of the programme own has its temperatures.')
  const read = readYaml(file)
  if (!read.ok) throw errors.invalidValue(`${read.line}: ${read.message}`)
  if (Value.Check(ProgrammeFile, read.value)) return read.value
  const [fault] = Value.Errors(ProgrammeFile, read.value)
  const path = (fault?.instancePath ?? '').split('/').slice(1)
  const line = read.lineOf(path.map((part) => (/^\d+$/.test(part) ? Number(part) : part)))
  throw errors.invalidValue(`${line}: ${path.join('.') || 'the programme'} ${fault?.message ?? 'is wrong'}`)
}
