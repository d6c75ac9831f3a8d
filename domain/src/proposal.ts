import Type, { type Static } from 'typebox'
import { FEELINGS } from './facts/feelings.ts'
import { MAX_TARGET_C, MIN_TARGET_C } from './facts/limits.ts'
import { WEEKDAYS } from './facts/programme.ts'
import { NightMode, Programme } from './programme.ts'
import { OneOf } from './schema.ts'

const FeelingField = OneOf(FEELINGS, 'What a person in the room finds.', 'too_cold')

export const FeedbackPost = Type.Object(
  { feeling: FeelingField },
  { additionalProperties: false, description: 'How a person finds the room.', examples: [{ feeling: 'too_cold' }] },
)
export type FeedbackPost = Static<typeof FeedbackPost>

const LocalClock = (description: string, example: string) => Type.String({ description, examples: [example] })

const ProposalWindow = Type.Object({
  weekdays: Type.Array(OneOf(WEEKDAYS, 'A weekday.', 'monday'), { examples: [['saturday', 'sunday']] }),
  from: LocalClock('Local time of the building as HH:MM.', '19:00'),
  to: LocalClock('Local time as HH:MM; 00:00 is the end of the day.', '22:30'),
})

const proposalFields = {
  feeling: FeelingField,
  days: Type.Integer({ description: 'On how many of the last 28 days it was pressed.', examples: [3] }),
  window: Type.Unsafe<Static<typeof ProposalWindow> | null>({
    ...ProposalWindow,
    type: ['object', 'null'],
    description: 'When the setpoint would be another. Null: the target of the whole week would be.',
  }),
  setpoint: Type.Number({ description: 'Celsius, as it is planned.', examples: [21] }),
  proposed_setpoint: Type.Number({ description: 'Celsius, as it is proposed.', examples: [21.5] }),
}

/** What would meet the presses of the last weeks. */
export const Proposal = Type.Object(proposalFields, {
  description: 'Another target or programme, by what people pressed. A person accepts or dismisses it on the website.',
})
export type Proposal = Static<typeof Proposal>

/** With the settings that it would be. */
export const AppProposal = Type.Object({
  ...proposalFields,
  change: Type.Object(
    {
      target_temperature: Type.Number({ minimum: MIN_TARGET_C, maximum: MAX_TARGET_C }),
      night_mode: Type.Optional(NightMode),
      programme: Type.Optional(Type.Unsafe<Programme | null>({ ...Programme, type: ['object', 'null'] })),
    },
    { description: 'A change of the room, as it is sent to accept it.' },
  ),
})
export type AppProposal = Static<typeof AppProposal>
