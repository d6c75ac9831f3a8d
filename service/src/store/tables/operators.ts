import type { OperatorAct } from '@hypocaust/domain'
import type { FixedAtInsert } from './columns.ts'

export interface OperatorTable {
  id: FixedAtInsert<string>
  name: FixedAtInsert<string>
  passwordHash: string
  /** The second factor is derived from it and the secret of the service. */
  enrolment: string
  createdAt: FixedAtInsert<number>
  signedInAt: number | null
}

export interface OperatorSessionTable {
  tokenHash: FixedAtInsert<string>
  operatorId: FixedAtInsert<string>
  endsAt: FixedAtInsert<number>
}

/** Rows are added and never changed. */
export interface OperatorActTable {
  id: FixedAtInsert<string>
  actedAt: FixedAtInsert<number>
  /** The name: it stays when the operator has gone. */
  operator: FixedAtInsert<string>
  act: FixedAtInsert<OperatorAct>
  /** A building, an operator, or what was searched for. */
  subject: FixedAtInsert<string>
  detail: FixedAtInsert<string>
}

export interface RequestErrorTable {
  id: FixedAtInsert<string>
  failedAt: FixedAtInsert<number>
  machine: FixedAtInsert<string>
  requestId: FixedAtInsert<string>
  route: FixedAtInsert<string>
  status: FixedAtInsert<number>
  message: FixedAtInsert<string>
}
