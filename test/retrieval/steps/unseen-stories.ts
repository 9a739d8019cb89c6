import type { Story } from './stories.ts'

/** Stories that nobody looked at until the splitting of requests was mended. */
export const unseenStories: readonly Story[] = [
  {
    catalog: 'own-hotel-airline',
    serves: 'claimMissingPoints',
    before:
      'Last month we finally took the trip to Lisbon that we had put off for years. The weather was glorious, my wife tried surfing and I ate too many custard tarts. It was all as we had hoped.',
    request: 'I got no miles for flight TP 571 on the 12th, please have them credited.',
    after: '',
  },
  {
    catalog: 'own-hotel-airline',
    serves: 'blockRoom',
    before: '',
    request: 'Take 214 out of service until Thursday.',
    after:
      'The guest in it ran a bath, fell asleep in front of the football, and the rest you can imagine. The carpet is like a sponge. He apologised a hundred times and left a big tip for the girls. The plumber says three days, the painter says four, and both of them say it was the other one who was late.',
  },
  {
    catalog: 'own-restaurant-fitness',
    serves: 'joinWaitlist',
    before:
      'It is our tenth anniversary today! I wanted to surprise her and forgot the most important part, as usual. I called the Korean place at the corner where we first met and every table is taken.',
    request: 'Put the two of us in the queue there for tonight.',
    after: 'If it fails I will cook, and that would be no gift to anybody.',
  },
  {
    catalog: 'own-restaurant-fitness',
    serves: 'pauseHabit',
    before:
      'I am off to a monastery for ten days tomorrow. No phone, no books, no talking. My friends have a bet running on how long I will last, and the highest anyone gave me is four days.',
    request: 'Put my daily Spanish on hold while I am away, I would hate to lose the streak.',
    after: '',
  },
  {
    catalog: 'own-smart-building',
    serves: 'silenceSiren',
    before:
      'Everyone is standing in the yard in slippers. It was toast, only toast, in the kitchen on the second floor, and the intern is very sorry. The fire brigade has been here and left again.',
    request: 'Make that terrible noise stop, please.',
    after: 'The neighbours have begun to throw us looks.',
  },
  {
    catalog: 'own-smart-building',
    serves: 'grantDoorAccess',
    before: '',
    request: 'Lena Voss starts on Monday and her badge 7712 should open the lab and the side entrance.',
    after:
      'She comes to us from Graz and has studied something with mushrooms. Everyone who met her says she is a delight. There is cake in the small meeting room at ten, bring your own cup because the dishwasher is still waiting for its spare part.',
  },
  {
    catalog: 'own-git-hosting',
    serves: 'transfer-repository',
    before:
      'As you may have heard, Tom is leaving us to grow olives in Puglia. We will miss him, his jokes less so. He wrote most of the invoice printer at night, in his own account, because back then nobody had time to set up anything proper.',
    request: 'tom/invoice-printer should belong to the organisation acme from now on.',
    after: 'He agreed over a beer, and I have it in writing on a coaster.',
  },
  {
    catalog: 'own-git-hosting',
    serves: 'protect-branch',
    before:
      'Yesterday our new trainee, a charming young man, wiped out two days of work with one command. He went pale, then red, then he brought doughnuts. It is not his fault, it is ours. I did the same in my first year and they laughed about it until I left.',
    request: 'Nobody may force push to main any more, and two people have to approve.',
    after: '',
  },
  {
    catalog: 'own-hr-payroll',
    serves: 'attachExpenseReceipt',
    before:
      'The trip to the fair in Milan was a success, we came home with six new customers and a cold. The taxi driver sang opera all the way. Then accounting wrote to me, politely as ever.',
    request: 'Here is the photo of the bill that was missing in claim 5521, can you put it there?',
    after: 'Best wishes to all of you, and get well soon, whoever is still coughing.',
  },
  {
    catalog: 'own-hr-payroll',
    serves: 'transferEmployee',
    before: '',
    request: 'From June on Pietro works in the logistics team under Ms Okafor.',
    after:
      'He asked for it himself, and we are all glad for him. He has been driving the forklift in his breaks for years, so nobody was surprised. There will be a small farewell on Friday with his famous tiramisu. His old desk at the window goes to whoever waters the plants.',
  },
  {
    catalog: 'own-telecom-selfcare',
    serves: 'getRoamingRates',
    before:
      'After twenty years my brother moved to Canada and we are going to visit him at last. The children have drawn him pictures, the dog goes to the neighbours. Everybody tells us to take warm socks.',
    request: 'what does it cost to ring home and to look at maps over there?',
    after: 'Last time, in Switzerland, I had the shock of my life when I saw what was on it.',
  },
  {
    catalog: 'own-telecom-selfcare',
    serves: 'reopenCase',
    before:
      'Hello Ms Brandt, it is me again, the one with the parrot. First of all, he sends his regards, he can now say your name. The technician came on Tuesday, he was quick and even took off his shoes. For two days all was well. But since this morning the line crackles just like before.',
    request: 'So please open 77-1903 again.',
    after: '',
  },
  {
    catalog: 'own-pdf-office-files',
    serves: 'remind_signer',
    before:
      'The flat is perfect: third floor, a balcony, and a baker downstairs. We measured the rooms twice already and argued about the sofa. Only one thing is missing, and it is always the same person.',
    request: 'Give Mr Lindqvist a nudge, he still has to put his name under the lease.',
    after: 'He is a good soul, he just never looks at his mail.',
  },
  {
    catalog: 'own-audio-video-edit',
    serves: 'blur_faces_in_video',
    before: '',
    request: 'Nobody may be recognised in hike.mp4, so please make the children unrecognisable.',
    after:
      'The school was very clear about that. It was such a fine day! We saw two deer and a very old man who carves whistles, and on the way back somebody lost a boot in the swamp. We sang until the bus driver joined in. He has a beautiful voice, by the way.',
  },
  {
    catalog: 'bundled',
    serves: 'split_bill',
    before:
      'Five of us went out for dumplings yesterday, like every first Friday. Jan told the story with the canoe again. The waiter knew it by heart and helped him along.',
    request: 'What does each of us owe of 118.40 with ten percent tip on top?',
    after:
      'Jan pays the drinks next time, we voted on it. He lost five to one, and even he raised his hand against himself.',
  },
]
