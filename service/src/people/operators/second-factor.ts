import { createHmac } from 'node:crypto'
import { createOTP } from '@better-auth/utils/otp'

const otpOf = (authSecret: string, enrolment: string) =>
  createOTP(createHmac('sha256', authSecret).update(`operator ${enrolment}`).digest('base64url'))

/** Derived from the secret of the service rather than stored: a copy of the database opens nothing. */
export const isCode = (authSecret: string, enrolment: string, code: string): Promise<boolean> =>
  otpOf(authSecret, enrolment).verify(code)

/** What an authenticator app scans. */
export const enrolmentLink = (authSecret: string, enrolment: string, name: string): string =>
  otpOf(authSecret, enrolment).url('Hypocaust operator', name)
