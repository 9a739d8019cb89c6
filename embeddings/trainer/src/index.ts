export { type TrainedModel, type TrainModelOptions, trainModel } from './train-model.ts'
export { buildRecommendations } from './recommend/build/build-recommendations.ts'
export { evaluateRecommender } from './recommend/evaluate/evaluate-recommender.ts'
export { trainRecommender } from './recommend/train-recommender.ts'
