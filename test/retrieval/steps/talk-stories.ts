import type { Story } from './stories.ts'

/** Talk in several styles, with orders about how to answer: in it a sentence that orders is not always what is asked for. */
const thread =
  "Hi all, following up on last week's thread. Petra wrote that the numbers in the annex looked off, and Jonas replied that he had only copied what finance gave him. The printer on the second floor is broken again, so nobody has the paper version. Let me know if you object, otherwise I take silence as a yes."
const persona =
  'Context: I work for a museum of local history with six employees and forty volunteers. We are closed on Mondays, and our visitors are mostly school classes and retired couples. My predecessor kept everything in her head. Answer in two or three sentences at most, and leave out any tables or headings.'
const incident =
  'After the outage on Saturday our incident channel got very long. The load balancer flapped, the queue filled up, an engineer restarted three pods, and the graphs went back to normal at 02:40. People are tired. Be careful with what you touch, do not restart anything, and write down each thing that you do.'
const notes =
  'Notes of our meeting, 4 May. The minutes of April were approved. Bert reported on the roof, which still leaks above the archive. Clara has talked to two firms and both were too expensive. Keep this confidential until it has been announced.'

const inTalk = (
  serves: `${string}/${string}`,
  request: string,
  { before = '', after = '' }: { readonly before?: string; readonly after?: string },
): Story => {
  const [catalog = '', tool = ''] = serves.split('/')
  return { catalog, serves: tool, before, request, after }
}

/** Requests in such talk. */
export const talkStories: readonly Story[] = [
  inTalk(
    'own-hr-payroll/terminateEmployee',
    'Number 1188 retires at the end of the year, take care of the offboarding.',
    {
      before: thread,
    },
  ),
  inTalk(
    'own-hr-payroll/adjustLeaveBalance',
    'Credit 3019 with one day of holiday, compensation for overtime in March.',
    {
      after: persona,
    },
  ),
  inTalk('own-factory-floor/quarantine_batch', 'Block lot 7704, suspicion of metal particles.', {
    before: notes,
    after: thread,
  }),
  inTalk(
    'own-factory-floor/load_recipe_to_machine',
    "Send the chocolate formula over to the tempering unit's controller.",
    { before: persona },
  ),
  inTalk(
    'own-git-hosting/close-pull-request',
    "We won't take #130, turn it away and say it's out of scope.",
    {
      before: incident,
    },
  ),
  inTalk('own-git-hosting/request-review', "I'd like Quentin's eyes on #91.", { after: notes }),
  inTalk('own-clinic-desk/bedBlock', 'Nobody into bed 9 on 2 West until Friday, the motor is broken.', {
    before: thread,
    after: persona,
  }),
  inTalk('own-clinic-desk/wardTransfer', 'Shift Mr. Groen from bed 4 to the window bed, same ward.', {
    after: incident,
  }),
  inTalk('own-database-console/promoteReplica', 'Make pg-shop-sg the new primary.', { before: notes }),
  inTalk('own-database-console/resetConsumerOffset', 'Replay orders for billing-sync from 2 April 08:00.', {
    before: persona,
    after: notes,
  }),
]
