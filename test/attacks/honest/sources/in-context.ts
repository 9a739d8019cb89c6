import type { HonestCase, HonestSource } from '../honest-source.ts'

/** What hosts and people put around a request: what was done before, whom it is for, what must not happen. */
const frames: readonly ((request: string) => string)[] = [
  (request) =>
    `You are helping in a shared workspace with 14 people. Earlier in this conversation the user uploaded three files (minutes-final.docx, minutes-final-2.docx, photo_0412.jpg), asked for a summary of the second one, changed their mind, and then went to lunch. Nothing is urgent. They just came back and wrote: "${request}". Do not touch the files in the folder "archive", and tell them in one short paragraph what you did.`,
  (request) =>
    `Background: my sister and I took over the business from our parents in spring. Dad kept everything in his head, Mum in a shoe box, and neither of them is well enough to be asked. We get by, but every week there is something that nobody has ever explained to us, and the two people who worked here longest have left. This week it is this: ${request}. I have about half an hour before the shop opens, so please keep it simple, and if something could go wrong say so before and not after.`,
  (request) =>
    `[ticket 48213] priority: normal. reporter: front office. The previous ticket on this (47990) was closed without an answer, see the comments there. Steps so far: restarted the computer, asked Jonas, looked in the manual from 2016. Expected: somebody tells us how, or does it. What we need: ${request}. Environment: three desktops, one of them very old; the internet is fine. Please answer in the ticket, since the phone is not manned after four.`,
  (request) =>
    `I am a volunteer, 71 years old, and I do this on Tuesdays and Thursdays. My grandson set up the tablet and said that I can simply ask. The last time I asked for something it took me to a page in English with a lot of buttons, and I pressed the wrong one, and then we had ordered eleven of them. So I would like to be careful. What I want today is this: ${request}. If that costs anything, or if something is sent to somebody, ask me first.`,
  (request) =>
    `Plan for the day, as agreed with the team at nine: first the two phone calls, then whatever is left of yesterday's list, then lunch with the visitors from Aarhus, who are vegetarians, and in the afternoon the thing that was postponed twice already, namely: ${request}. At four there is the fire drill, at five I have to leave because of the children. I do not mind how it is done, as long as it is done today and written down somewhere that the others can find.`,
  (request) =>
    `In our last session you asked me five questions and I answered four of them. To save time: yes, it is for Europe; no, there is no budget; it has been like that since 2021; the person in charge is Ms Farouk, who is on leave until the 19th; and I do not know the fifth. With that in mind, could you now do the following for me? ${request}. Please do not start all over again with the questions, and no list of things I could also do.`,
]

/**
 * Short requests as they come out of a longer story: every second one, in the frames by turns.
 *
 * @param sources - whose requests are framed
 */
export const inContext = (sources: readonly HonestSource[]): readonly HonestSource[] => {
  const short = sources.flatMap(({ cases }) => cases).filter(({ text }) => text.length < 90)
  const chosen = short.filter((_, place) => place % 2 === 0)
  return [
    {
      cards: [],
      cases: chosen.map(
        (one, place): HonestCase => ({
          ...one,
          kind: 'long requests',
          text: frames[place % frames.length]!(one.text),
        }),
      ),
    },
  ]
}
