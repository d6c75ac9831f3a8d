import { buildingsKey, queryClient } from '../api/queries.ts'

/** What follows from a calendar is seen on the rooms too. */
export const refreshCalendars = () =>
  Promise.all([['calendars'], buildingsKey, ['outlook']].map((queryKey) => queryClient.invalidateQueries({ queryKey })))
