/** A request with talk around it: where it is looked for, the tool that serves it, and its text in three parts. */
export type Story = {
  /** A catalog of embeddings/trainer/data/tools; `bundled` is the catalog that comes with the program. */
  readonly catalog: string
  readonly serves: string
  readonly before: string
  readonly request: string
  readonly after: string
}

/** The whole text. */
export const storyText = ({ before, request, after }: Story): string =>
  [before, request, after].filter((part) => part !== '').join(' ')

/** Stories that were looked at when the splitting of requests was mended. */
export const seenStories: readonly Story[] = [
  {
    catalog: 'own-hotel-airline',
    serves: 'trackBag',
    before:
      'Hi there! Hope you are having a better day than me. We landed in Porto two hours ago after a lovely flight, the crew was kind and the children even slept a little. My husband went ahead to the hotel with them because they were hungry.',
    request: 'Could you find out where my suitcase with the tag TP448120 is right now?',
    after: '',
  },
  {
    catalog: 'own-hotel-airline',
    serves: 'extendVoucher',
    before: '',
    request: 'Please make my gift card 88-1204 good for another half year.',
    after:
      'You see, my mother fell ill in spring and the trip to the lake that we had planned had to wait. She is much better now, thank God. The doctors say she may fly again in autumn. We used to spend every September there when I was a child, in the same room with the green shutters.',
  },
  {
    catalog: 'own-restaurant-fitness',
    serves: 'scaleRecipe',
    before:
      'My sister and her four kids are coming on Sunday. Nobody told me until this morning, of course! Last time they ate everything in the house, including the dog biscuits.',
    request: 'I need the amounts of the goulash worked out for eleven people.',
    after: 'Wish me luck. The kitchen is tiny and the oven door still does not close properly.',
  },
  {
    catalog: 'own-restaurant-fitness',
    serves: 'adjustTrainingPlan',
    before:
      'So, funny story: I slipped on the stairs at work while carrying a cake for a colleague. The cake survived, my ankle did not. The doctor said nothing is broken but that I should take it slowly for two weeks.',
    request: 'Make my running schedule lighter until the end of the month.',
    after: '',
  },
  {
    catalog: 'own-smart-building',
    serves: 'addScheduleException',
    before:
      'Good morning! We had a wonderful party on the third floor yesterday, thanks to everybody who helped. On the 6th the whole office stays closed because of the holiday, and last year it was warm as a sauna in here with nobody around. The landlord was not amused when the bill came.',
    request: 'On that day the heating program should not run at all.',
    after: '',
  },
  {
    catalog: 'own-smart-building',
    serves: 'listDoorEvents',
    before: '',
    request: 'who opened the archive last night between ten and midnight?',
    after:
      'The cleaner swears it was not her. I believe her, she has been with us for twelve years and never took so much as a pencil. Somebody left the window open as well, and it rained on the old maps. It makes me sad, my father drew some of them.',
  },
  {
    catalog: 'own-git-hosting',
    serves: 'revert-commit',
    before:
      'What a week. On Monday the coffee machine broke, on Tuesday half the team was ill, and yesterday somebody, not naming names, pushed straight before leaving for the train. Since then checkout shows a blank page to everybody in Belgium.',
    request: 'Undo 4f2a91c on main, keeping the history.',
    after: 'I will buy a cake for whoever reviews it. The good one, with cherries.',
  },
  {
    catalog: 'own-git-hosting',
    serves: 'get-run-logs',
    before:
      'I have been with this company for nine years and never have I seen so much red on one page. My colleague says it is the moon. My boss says it is the network. I think neither of them has looked.',
    request: 'Show me what run 88123 printed on its console.',
    after: '',
  },
  {
    catalog: 'own-hr-payroll',
    serves: 'getLeaveBalance',
    before:
      'My girlfriend found a cheap house by the sea in Brittany. It has a stove and a cat that comes with it. We would be there for three weeks, which is a lot, I know.',
    request: 'How many days off do I have left this year?',
    after:
      'If it is too few we could go for two weeks only, and her brother would take the third. He loves cats.',
  },
  {
    catalog: 'own-hr-payroll',
    serves: 'swapShifts',
    before: '',
    request: 'Let Amira and Joost trade their Saturday and Sunday.',
    after:
      'Her daughter plays in the final of the school league and he does not mind, he has no plans anyway. Everyone in the shop is very excited. We made a banner, and the owner even said he would close early to watch. Imagine that! He has not closed early since 1998.',
  },
  {
    catalog: 'own-telecom-selfcare',
    serves: 'blockSim',
    before:
      'I was on the tram this morning, the number 4, as always. There was a school class, very loud, very happy. When I got off at the market my bag was open and my purse and phone were gone. I already went to the police and they were friendly but had little hope.',
    request: 'Nobody must be able to make calls with my number 0171 55 02 any more.',
    after: 'My daughter lent me her old telephone for now.',
  },
  {
    catalog: 'own-telecom-selfcare',
    serves: 'requestInstalments',
    before:
      'Dear team, first of all thank you for the friendly help last time. It has been a hard winter for us: the heating broke, then the car, and my hours at the bakery were cut.',
    request: 'Can I pay the 340 euros of March bit by bit, say over four months?',
    after: 'I have always been on time until now. Greetings from the whole family, and from the cat.',
  },
  {
    catalog: 'own-pdf-office-files',
    serves: 'redact_pdf',
    before:
      'Our lawyer is a nice man, but he writes mails at three in the morning. Today he wants the contract for the other side by noon. They must not see what we pay our own people, for obvious reasons.',
    request: 'Black out the salaries on pages 4 to 6 of contract.pdf.',
    after: 'I promised him a coffee. He said he would rather have some sleep.',
  },
  {
    catalog: 'own-audio-video-edit',
    serves: 'denoise_audio',
    before:
      'We recorded my grandfather telling how he came over the mountains as a boy. He is 94 and his memory is sharper than mine. The old fridge behind him hummed all afternoon, and somebody was mowing the lawn next door.',
    request: 'Get rid of the hum in opa.wav so that one hears him well.',
    after: '',
  },
  {
    catalog: 'bundled',
    serves: 'count_business_days',
    before:
      'The builders promised to be done before Christmas. They are nice people and they like our coffee, but the bathroom still has no floor and we wash ourselves in the kitchen. The boss of them said they only need thirty more days of work.',
    request: 'How many working days are there from 3 November to 19 December?',
    after: 'I have a feeling that we will celebrate between bags of cement.',
  },
]
